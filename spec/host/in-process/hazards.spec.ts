import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

import { describe, expect, it, vi } from 'vitest'

import {
  runScenario,
  type CompositionOptions,
  type RunScenarioOptions,
  type ScenarioRun,
} from '../../../src/index.ts'
import { loadComposition } from '../../../src/host/composition/composition.ts'
import { answers, bash, prompts, type Answer } from '../../support/model-answers.ts'
import { dshComposition } from '../../support/paths.ts'
import { compositionFolder } from '../support/composition-folder.ts'
import { startComposition } from '../support/start-run.ts'
import { problemOf } from '../../support/thrown.ts'

const write = (file: string, content: string): Answer => ({
  tool: 'write',
  args: { file_path: file, content },
})
const read = (file: string): Answer => ({ tool: 'read', args: { file_path: file } })

/** A scenario of one prompt, which the model answers by these tools, a call each, and a last word. */
const uses = (name: string, ...tools: readonly Answer[]): RunScenarioOptions['scenario'] & object => ({
  name,
  steps: prompts('Go on.'),
  replay: [...tools.map(tool => answers(tool)), answers({ text: 'Done.' })],
})

/** The real agent with more plugins, mounted without its overlay so that patches reach its rows. */
const agent = (patches: CompositionOptions['patches'] = [], modules: CompositionOptions['modules'] = {}) => ({
  config: dshComposition,
  overlay: false as const,
  patches,
  modules,
})

const plainFs = [
  { id: 'fs', disabled: true },
  { insert: [{ id: 'fs-plain', name: '@deepseek-ai/dsh-fs-local' }] },
]

/** What the tools gave back, as the model saw it. */
function toolResults(run: ScenarioRun): string {
  const [primary] = run.transcript.sessions
  return JSON.stringify(
    primary?.raw.events.filter(event => event.type === 'tool/result').map(event => event.data),
  )
}

describe('fs-local puts the working directory of its import into its configuration', () => {
  it('and two runs on plain fs-local still have their own', async () => {
    const run = (name: string) =>
      runScenario({
        composition: agent(plainFs),
        scenario: uses(name, write('made.txt', name), read('made.txt')),
      })
    const before = fs.readdirSync(process.cwd())
    const [one, two] = await Promise.all([run('one'), run('two')])
    expect(one.workspace.get('made.txt')?.toString()).toBe('one')
    expect(two.workspace.get('made.txt')?.toString()).toBe('two')
    expect(toolResults(one)).toContain('one')
    expect(toolResults(two)).toContain('two')
    expect(fs.readdirSync(process.cwd())).toEqual(before)
  })

  it.each([
    ['@deepseek-ai/dsh-fs-local', plainFs],
    ['@deepseek-ai/dsh-fs-sandbox', []],
  ])("and %s resolves what plugins ask for against the run's", async (_name, patches) => {
    const seen: unknown[] = []
    const asker = {
      name: 'asker',
      inject: ['fs'],
      apply: async (ctx: { fs: { resolve(file: string): Promise<{ displayPath: string }> } }) => {
        seen.push((await ctx.fs.resolve('x')).displayPath, path.resolve('x'))
      },
    }
    const added = { insert: [{ name: 'spec:asker' }] }
    const start = () => startComposition(agent([...patches, added], { 'spec:asker': asker }))
    const [one, two] = [await start(), await start()]
    expect(seen).toEqual([`${one.cwd}/x`, `${one.cwd}/x`, `${two.cwd}/x`, `${two.cwd}/x`])
  })

  it('and a run in memory has its own as well', async () => {
    const run = await runScenario({
      composition: agent(plainFs),
      workspace: 'memory',
      scenario: uses('memory', write('made.txt', 'virtual')),
    })
    expect(run.workspace.get('made.txt')?.toString()).toBe('virtual')
  })
})

describe('a spawned bash cannot see the virtual disk', () => {
  it("so workspace: 'memory' serves the fs tools", async () => {
    const run = await runScenario({
      composition: dshComposition,
      workspace: 'memory',
      scenario: {
        ...uses('memory', read('given.txt'), write('deep/made.txt', 'made')),
        workspace: { 'given.txt': 'content of given' },
      },
    })
    expect(toolResults(run)).toContain('content of given')
    expect(
      Object.fromEntries([...run.workspace].map(([name, content]) => [name, content.toString()])),
    ).toMatchObject({
      'given.txt': 'content of given',
      'deep/made.txt': 'made',
    })
  })

  it("and refuses bash with the hint to use workspace: 'disk'", async () => {
    const run = await runScenario({
      composition: dshComposition,
      workspace: 'memory',
      scenario: uses('memory', bash('pwd')),
    })
    expect(toolResults(run)).toContain("workspace: 'disk'")
  })
})

describe('module-level state and process-wide functions', () => {
  it('let sixteen runs at once keep to themselves', { timeout: 60_000 }, async () => {
    const names = Array.from({ length: 16 }, (_, n) => `run-${String(n).padStart(2, '0')}`)
    const runs = await Promise.all(
      names.map(name =>
        runScenario({
          composition: dshComposition,
          env: { MARKER: name },
          scenario: uses(
            name,
            bash('echo "$MARKER $(pwd)" > made.txt; cat made.txt'),
            write('own.txt', name),
            read('own.txt'),
          ),
        }),
      ),
    )
    const cwds = runs.map(run => run.transcript.sessions[0]?.raw.header.cwd ?? '')
    expect(new Set(cwds).size).toBe(16)
    for (const [n, run] of runs.entries()) {
      expect(run.workspace.get('made.txt')?.toString()).toBe(`${names[n] ?? ''} ${cwds[n] ?? ''}\n`)
      expect(run.workspace.get('own.txt')?.toString()).toBe(names[n])
      const everything = JSON.stringify([run.transcript, run.modelCalls.map(call => call.request.messages)])
      for (const [other, name] of names.entries()) {
        if (other === n) continue
        expect(everything).not.toContain(name)
        expect(everything).not.toContain(cwds[other])
      }
    }
  })
})

describe('32 mounts at once', () => {
  it(
    'raise no MaxListenersExceededWarning and leave no listener of theirs',
    { timeout: 60_000 },
    async () => {
      const warnings: Error[] = []
      const onWarning = (warning: Error): void => void warnings.push(warning)
      process.on('warning', onWarning)
      const names = ['exit', 'SIGINT', 'SIGTERM', 'uncaughtException', 'unhandledRejection'] as const
      const counts = () => names.map(name => process.listenerCount(name))
      await runScenario({ composition: dshComposition, scenario: uses('first') })
      const before = counts()
      const composition = { config: dshComposition, overlay: false as const }
      const hosts = await Promise.all(
        Array.from({ length: 32 }, () =>
          startComposition(composition, { env: () => ({ DEEPSEEK_API_KEY: 'none' }) }),
        ),
      )
      expect(counts()).toEqual(before)
      await Promise.all(hosts.map(host => host.dispose()))
      await new Promise(resolve => setImmediate(resolve))
      process.off('warning', onWarning)
      expect(warnings.filter(warning => warning.name === 'MaxListenersExceededWarning')).toEqual([])
      expect(counts()).toEqual(before)
    },
  )
})

describe('an overlay that reads the environment of a snapshot run', () => {
  it("finds its variables, and logs lie in the run's own place whatever it says", async () => {
    const seen: unknown[] = []
    const spy = {
      name: 'spy',
      apply: (_ctx: unknown, config: unknown) => {
        seen.push(config)
        seen.push(
          Object.keys(process.env)
            .filter(name => name.startsWith('DSH_'))
            .sort(),
        )
      },
    }
    const run = await runScenario({
      composition: agent(
        [
          { id: 'persistence', config: { root: './.sessions', compression: 'zstd' } },
          {
            insert: [
              { name: 'spec:spy', config: { root: { __jsExpr: 'process.env.DSH_SNAPSHOT_SESSIONS_ROOT' } } },
            ],
          },
        ],
        { 'spec:spy': spy },
      ),
      scenario: uses('variables'),
    })
    expect(seen).toEqual([
      { root: expect.stringContaining('/sessions') as unknown },
      [
        'DSH_AGENTS_HOME',
        'DSH_HOME',
        'DSH_SNAPSHOT',
        'DSH_SNAPSHOT_SESSIONS_ROOT',
        'DSH_SNAPSHOT_SPILL_ROOT',
      ],
    ])
    expect(run.transcript.sessions).toHaveLength(1)
    expect([...run.workspace.keys()].filter(name => name.includes('.sessions'))).toEqual([])
  })
})

describe('the ACP plugin takes its transport from its runtime configuration', () => {
  it('also where a file nested in another mounts it, which hands no stream on', async () => {
    const folder = compositionFolder({
      'cordis.yml': `- name: '@deepseek-ai/cordis-plugin-include'\n  config: { path: ${dshComposition} }\n`,
    })
    const run = await runScenario({
      composition: { config: path.join(folder, 'cordis.yml') },
      scenario: uses('nested', write('made.txt', 'x')),
    })
    expect(run.workspace.get('made.txt')?.toString()).toBe('x')
    expect(run.stopReason).toBe('end_turn')
  })
})

describe('the persistence flushes when it is disposed', () => {
  it('so a log is whole after the run, to its last event', async () => {
    const run = await runScenario({ composition: dshComposition, scenario: uses('flush', write('a', 'b')) })
    expect(run.transcript.sessions[0]?.raw.events.at(-1)?.type).toMatch(/^turn\/end$|^session\/title/)
    expect(run.transcript.sessions[0]?.raw.events.some(event => event.type === 'turn/end')).toBe(true)
  })
})

describe('the first temporary folder that a plugin makes stays its own for the life of the process', () => {
  it('so long output goes somewhere in every run, one after the other', async () => {
    for (const name of ['first', 'second']) {
      const run = await runScenario({
        composition: dshComposition,
        scenario: uses(name, bash('seq 1 40000')),
      })
      expect(toolResults(run)).toContain('40000')
      expect(toolResults(run)).not.toContain('ENOENT')
    }
  })
})

describe("what lies outside of a run's folders", () => {
  it('is as it was, also after a run that fails', async () => {
    vi.stubEnv('TMPDIR', fs.mkdtempSync(path.join(os.tmpdir(), 'spec-')))
    const temp = os.tmpdir()
    try {
      const folders = [temp, os.homedir(), path.dirname(dshComposition)]
      const picture = () => folders.map(folder => fs.readdirSync(folder).sort())
      const files = () =>
        fs
          .readdirSync(path.dirname(dshComposition))
          .map(name => fs.readFileSync(path.join(path.dirname(dshComposition), name), 'utf8'))
      const before = [picture(), files()]
      const leaves = {
        name: 'leaves',
        apply: (ctx: { fiber: { dispose(): unknown } }) => void setTimeout(() => ctx.fiber.dispose(), 0),
      }
      await runScenario({
        composition: {
          config: dshComposition,
          patches: [{ insert: [{ name: 'spec:leaves' }] }],
          modules: { 'spec:leaves': leaves },
        },
        scenario: uses('works', bash('sleep 0.05; echo x > "$HOME/x"; echo x > "$TMPDIR/x"')),
      })
      await problemOf(() =>
        runScenario({ composition: dshComposition, scenario: { ...uses('fails'), replay: [] } }),
      )
      await problemOf(() =>
        runScenario({
          composition: { config: dshComposition, patches: [{ insert: [{ name: '@nobody/has-this' }] }] },
          scenario: uses('fails'),
        }),
      )
      expect([picture(), files()]).toEqual(before)
    } finally {
      vi.unstubAllEnvs()
      fs.rmSync(temp, { recursive: true, force: true })
    }
  })
})

describe('the composition of the real agent', () => {
  it('names each of its modules once before the first mount', async () => {
    const { imports } = await loadComposition({ config: dshComposition }, 'replay')
    const names = imports.map(({ name }) => name)
    expect(names[0]).toBe('@deepseek-ai/dsh-session')
    expect(names).not.toContain('@deepseek-ai/dsh-llm-deepseek')
    expect(names.at(-1)).toBe('acp-snapshot/llm-replay')
    expect(names.length).toBeGreaterThan(30)
  })
})

describe('prompt sections of equal order depend on import timing', () => {
  it('so modules are imported in list order before anything is mounted', async () => {
    const plugin = (name: string, before: string) => `
      ${before}
      export const name = '${name}'
      export const inject = ['systemPrompt']
      export function apply(ctx) {
        ctx.systemPrompt.section({ name: '${name}', order: 500, text: 'section of ${name}' })
      }
    `
    const folder = compositionFolder({
      'slow.mjs': plugin('slow', 'await new Promise(resolve => setTimeout(resolve, 30))'),
      'quick.mjs': plugin('quick', ''),
    })
    const rows = ['slow', 'quick'].map(name => ({ id: name, name: `${folder}/${name}.mjs` }))
    const { modelCalls } = await runScenario({
      composition: { config: dshComposition, patches: [{ insert: rows }] },
      scenario: { steps: prompts('Hello?'), replay: [answers({ text: 'Hello.' })] },
    })
    const system = JSON.stringify(modelCalls[0]?.request)
    expect(system.indexOf('section of slow')).toBeGreaterThan(0)
    expect(system.indexOf('section of quick')).toBeGreaterThan(system.indexOf('section of slow'))
  })
})

describe('module state outlives a mount: a plugin that counts its handlers goes on counting', () => {
  it('since every run gets the one instance of the module, imported before the first', async () => {
    const folder = compositionFolder({
      'counting.mjs': `
        let handlers = 0
        export const name = 'counting'
        export const apply = () => {
          handlers += 1
          console.error('handler:' + handlers)
        }
      `,
    })
    const run = async (): Promise<string> => {
      const { stderr } = await runScenario({
        composition: {
          config: dshComposition,
          patches: [{ insert: [{ id: 'counting', name: `${folder}/counting.mjs` }] }],
        },
        scenario: { steps: prompts('Hello?'), replay: [answers({ text: 'Hello.' })] },
      })
      return stderr
    }
    expect(await run()).toContain('handler:1')
    expect(await run()).toContain('handler:2')
    const together = await Promise.all([run(), run()])
    expect(
      together
        .join('')
        .match(/handler:\d+/g)
        ?.toSorted(),
    ).toEqual(['handler:3', 'handler:4'])
  })
})
