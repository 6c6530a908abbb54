import path from 'node:path'

import { describe, expect, it, vi } from 'vitest'

import { runScenario, type RunScenarioOptions, type ScenarioRun } from '../src/index.ts'
import { answers, bash, prompts } from './support/model-answers.ts'
import { ownTemp } from './support/own-temp.ts'
import { dshComposition } from './support/paths.ts'
import { tempFolder } from './support/temp-folder.ts'
import { problemOf } from './support/thrown.ts'

const scenario = { name: 'hello', steps: prompts('Hi'), replay: [answers({ text: 'Hello.' })] }

/** The real agent with a plugin of the test's own beside it. */
function withPlugin(
  source: string,
  name = 'plugin.mjs',
): { config: string; patches: { insert: object[] }[] } {
  const file = path.join(tempFolder({ [name]: source }), name)
  return { config: dshComposition, patches: [{ insert: [{ id: 'own', name: file }] }] }
}

const inBoth = <T>(look: (host: 'in-process' | 'subprocess') => Promise<T>): Promise<T[]> =>
  Promise.all((['in-process', 'subprocess'] as const).map(look))

const textsOf = ({ transcript }: ScenarioRun): string[] => [
  transcript.stdout,
  ...transcript.sessions.map(({ text }) => text),
]

const left = ownTemp()

describe('an agent in a process of its own', () => {
  it('has the environment that it has in this one, and nothing of the developer’s', async () => {
    // What the bash tool passes on has no keys in it whatever the process has: a plugin sees all.
    vi.stubEnv('DEEPSEEK_API_KEY', 'the-secret-of-a-developer')
    vi.stubEnv('DEVELOPER', 'the-name-of-a-developer')
    const composition = withPlugin(
      "export const name = 'own'\nexport const apply = () => console.error(Object.entries(process.env).map(row => row.join('=')).sort().join('\\n'))\n",
    )
    const runs = await inBoth(host =>
      runScenario({
        scenario: { ...scenario, replay: [answers(bash('env | sort')), answers({ text: 'Done.' })] },
        composition,
        host,
        env: { OWN: 'mine' },
      }),
    )
    const [here, there] = runs.map(textsOf)
    expect(there).toEqual(here)
    const names = runs.map(({ stderr }) => stderr.match(/^\w+(?==)/gm))
    expect(names[1]).toEqual(names[0])
    expect(names[1]).toContain('DSH_SNAPSHOT')
    for (const seen of [there?.join(), runs[1]?.stderr]) {
      expect(seen).toContain('OWN=mine')
      expect(seen).not.toContain('of-a-developer')
      expect(seen).not.toContain('ACP_SNAPSHOT')
    }
    expect(left()).toEqual([])
  })

  it.each([
    ["export const name = 'own'\nexport const apply = () => { throw new Error('no luck') }\n", 'no luck'],
    [
      "export const name = 'own'\nexport const inject = ['nobody']\nexport const apply = () => {}\n",
      'waits for nobody',
    ],
    ["import 'not-installed'\n", 'not-installed'],
  ])('fails where the composition does, with the same words: %#', async (source, problem) => {
    const composition = withPlugin(source)
    const [here, there] = await inBoth(host => problemOf(() => runScenario({ scenario, composition, host })))
    expect(there?.code).toBe('COMPOSITION_FAILED')
    // The Loader makes up an id for the file that is mounted.
    const told = (error?: Error): string | undefined =>
      error?.message.replace(/\nThe agent logged:[^]*/, '').replace(/entry \w+:/, 'entry x:')
    expect(told(there)).toBe(told(here))
    expect(there?.message).toContain(problem)
    // It went by itself.
    expect(there?.message).not.toContain('interrupted')
    expect(left()).toEqual([])
  })

  it('is given a time to start', async () => {
    const composition = withPlugin(
      "export const name = 'own'\nexport const apply = () => { console.error('still here'); return new Promise(() => {}) }\n",
    )
    const error = await problemOf(() =>
      runScenario({ scenario, composition, host: 'subprocess', timeouts: { mount: 2500 } }),
    )
    expect(error.code).toBe('DEADLINE_EXCEEDED')
    expect(error.message).toContain('did not become active in its process')
    expect(error.message).toContain('The agent logged:\n  still here')
    expect(left()).toEqual([])
  })

  it('that exits while it starts is told so, with its last words', async () => {
    const composition = withPlugin("console.error('bye')\nprocess.exit(7)\n")
    const error = await problemOf(() => runScenario({ scenario, composition, host: 'subprocess' }))
    expect(error.message).toContain('exited with code 7')
    expect(error.message).toContain('The agent logged:\n  bye')
    expect(left()).toEqual([])
  })

  it('is given a time to go', async () => {
    const composition = withPlugin(
      "export const name = 'own'\nexport const apply = () => () => new Promise(() => {})\n",
    )
    const error = await problemOf(() =>
      runScenario({ scenario, composition, host: 'subprocess', timeouts: { dispose: 300 } }),
    )
    expect(error.code).toBe('DEADLINE_EXCEEDED')
    expect(error.message).toContain('went on after its standard input had ended, for 300 ms')
    expect(left()).toEqual([])
  })

  it('that has a plugin which fails while it goes is told so', async () => {
    const composition = withPlugin(
      "export const name = 'own'\nexport const apply = () => () => { throw new Error('sore') }\n",
    )
    const [here, there] = await inBoth(host => problemOf(() => runScenario({ scenario, composition, host })))
    expect([here?.code, there?.code]).toEqual(['COMPOSITION_FAILED', 'COMPOSITION_FAILED'])
    expect(there?.message).toContain('a plugin failed while the composition was disposed: sore')
  })

  it('takes an overlay, patches, and plugins in TypeScript', async () => {
    const composition = withPlugin(
      "interface Asked { readonly x: number }\nexport const name = 'own'\nexport const apply = (_ctx: unknown, { x }: Asked) => console.error(`x is ${x}`)\n",
      'plugin.ts',
    )
    const row = composition.patches[0]?.insert[0]
    const runs = await Promise.all(
      [
        { overlay: false as const },
        { overlay: dshComposition.replace('cordis.yml', 'cordis.snapshot.yml') },
      ].map(more =>
        runScenario({
          scenario,
          composition: {
            config: dshComposition,
            patches: [{ insert: [{ ...row, config: { x: 5 } }] }],
            ...more,
          },
          host: 'subprocess',
        }),
      ),
    )
    for (const run of runs) {
      expect(run.stderr).toContain('x is 5')
      expect(run.transcript.stdout).toContain('Hello.')
    }
  })

  it.each<[string, Partial<RunScenarioOptions>, string]>([
    [
      'modules',
      { composition: { config: dshComposition, modules: { x: {} } } },
      'composition.modules has values',
    ],
    [
      'functions in patches',
      { composition: { config: dshComposition, patches: [{ id: 'acp', config: { stream: () => 1 } }] } },
      '"stream" is a function',
    ],
    [
      'what is no JSON in patches',
      { composition: { config: dshComposition, patches: [{ id: 'acp', config: { at: NaN } }] } },
      'it is no JSON value',
    ],
    [
      'a composition of which a command of its own knows nothing',
      { composition: { config: dshComposition }, host: { command: 'true' } },
      'a command of your own mounts what it likes',
    ],
    ['a workspace in memory', { composition: dshComposition, workspace: 'memory' }, 'workspace is "memory"'],
  ])('is refused %s, which only this process has', async (_what, options, problem) => {
    const error = await problemOf(() => runScenario({ scenario, host: 'subprocess', ...options }))
    expect(error.code).toBe('USAGE')
    expect(error.message).toContain(problem)
    expect(left()).toEqual([])
  })

  it('leaves nothing where it could not even be started', async () => {
    const wrong = await problemOf(() =>
      runScenario({
        scenario: { ...scenario, workspace: { '../out': '' } },
        composition: dshComposition,
        host: 'subprocess',
      }),
    )
    expect(wrong.code).toBe('SCENARIO_INVALID')
    expect(left()).toEqual([])
  })
})
