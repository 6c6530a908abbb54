import path from 'node:path'

import { describe, expect, it } from 'vitest'

import {
  runScenario,
  SnapshotError,
  type CompositionOptions,
  type RunScenarioOptions,
} from '../../src/index.ts'
import { answers, prompts } from '../support/model-answers.ts'
import { bundledScenarios, dshComposition } from '../support/paths.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** The error that a run ends with; nothing else than one of ours will do. */
async function errorOf(options: RunScenarioOptions): Promise<SnapshotError> {
  const error: unknown = await runScenario(options).then(
    () => new Error('the run succeeded'),
    (reason: unknown) => reason,
  )
  if (error instanceof SnapshotError) return error
  throw error
}

/** The real agent with one more plugin. */
function withPlugin(module: unknown): CompositionOptions {
  return {
    config: dshComposition,
    patches: [{ insert: [{ id: 'added', name: 'spec:added' }] }],
    modules: { 'spec:added': module },
  }
}

const hello = { name: 'hello', steps: prompts('Hello?'), replay: [answers({ text: 'Hello.' })] }

describe('a run that cannot work', () => {
  it('names the fixture that is missing and how to make it', async () => {
    const scenario = tempFolder({ 'input.json': JSON.stringify({ steps: prompts() }) })
    const error = await errorOf({ scenario, composition: dshComposition })
    expect(error.code).toBe('SCENARIO_INVALID')
    expect(error.message).toContain(`${scenario}: session.jsonl is missing`)
    expect(error.message).toContain('Record the scenario: acp-snapshot record')
  })

  it('names the call that the recorded script does not have', async () => {
    const error = await errorOf({
      composition: dshComposition,
      scenario: { ...hello, steps: prompts('Hello?', 'Are you there?') },
    })
    expect(error.code).toBe('REPLAY_EXHAUSTED')
    expect(error.message).toContain('session.jsonl')
    expect(error.message).toContain('model call 1')
    expect(error.message).toContain('add an entry for this call at the end of replay.')
    expect(error.message.split('makes its model call')).toHaveLength(2)
  })

  it('names an unknown op, its line, and the op that was meant', async () => {
    const input = '{\n  "steps": [\n    { "op": "initialise" }\n  ]\n}\n'
    const scenario = tempFolder({
      'input.json': input,
      'session.jsonl': '{"type":"session","version":0,"id":"x","createdAt":0,"delegationDepth":0}\n',
      'stdout.expected.jsonl': '',
    })
    const error = await errorOf({ scenario, composition: dshComposition })
    expect(error.code).toBe('SCENARIO_INVALID')
    expect(error.message).toContain('input.json:3:')
    expect(error.message).toContain('steps[0].op')
    expect(error.message).toContain('did you mean "initialize"?')
  })

  it('names a plugin that throws in apply, and why', async () => {
    const module = {
      name: 'thrower',
      apply: () => {
        throw new Error('no licence found')
      },
    }
    const error = await errorOf({ composition: withPlugin(module), scenario: hello })
    expect(error.code).toBe('COMPOSITION_FAILED')
    expect(error.message).toMatch(/spec:added \(entry \S*added\) is failed: no licence found/)
    expect(error.message).toContain('Mend the plugin that failed')
    expect(error.cause).toMatchObject({ message: 'no licence found' })
  })

  it('names a plugin that waits for a service nobody provides', async () => {
    const module = { name: 'waiter', inject: ['moonlight'], apply: () => undefined }
    const error = await errorOf({ composition: withPlugin(module), scenario: hello })
    expect(error.code).toBe('COMPOSITION_FAILED')
    expect(error.message).toContain('spec:added')
    expect(error.message).toContain('is waiting; it waits for moonlight, which nothing provides')
    expect(error.message).toContain('Add entries for plugins that provide what is missing')
  })

  it('names a plugin whose default export loses its inject, and the fix', async () => {
    const folder = tempFolder(
      {
        'loses-inject.mjs': `
          export const name = 'loses-inject'
          export const inject = ['llm']
          export function apply(ctx) { ctx.llm.listProviders() }
          export default apply
        `,
      },
      path.dirname(bundledScenarios),
    )
    const error = await errorOf({
      composition: {
        config: dshComposition,
        patches: [{ insert: [{ id: 'added', name: path.join(folder, 'loses-inject.mjs') }] }],
      },
      scenario: hello,
    })
    expect(error.code).toBe('COMPOSITION_FAILED')
    expect(error.message).toContain('loses-inject.mjs')
    expect(error.message).toContain('the plugin would lose inject. Remove the default export')
  })

  it('names a configuration file that is not there', async () => {
    const missing = path.join(tempFolder(), 'cordis.yml')
    const error = await errorOf({ composition: missing, scenario: hello })
    expect(error.code).toBe('COMPOSITION_FAILED')
    expect(error.message).toContain(missing)
    expect(error.message).toContain('does not exist. Name an existing Loader configuration')
  })

  it('names a module that is not installed, and the file that wants it', async () => {
    const error = await errorOf({
      composition: { config: dshComposition, patches: [{ insert: [{ name: '@nobody/has-this' }] }] },
      scenario: hello,
    })
    expect(error.code).toBe('COMPOSITION_FAILED')
    expect(error.message).toContain('cordis.snapshot.yml names the module "@nobody/has-this"')
  })

  it.each([
    ['process.stdout.write', () => process.stdout.write('starting up…\n')],
    ['console.log', () => console.log('starting up…')],
  ])('names the line of standard output that is not JSON (%s)', async (_how, write) => {
    const error = await errorOf({
      composition: withPlugin({
        name: 'chatty',
        apply: () => {
          write()
        },
      }),
      scenario: hello,
    })
    expect(error.code).toBe('STDOUT_INVALID')
    expect(error.message).toContain('line 1')
    expect(error.message).toContain('starting up…')
    expect(error.message).toContain('standard error')
  })

  it('ends at its deadline when the agent does not answer', async () => {
    const error = await errorOf({
      composition: dshComposition,
      scenario: { ...hello, replay: [{ kind: 'hang' }] },
      timeouts: { prompt: 200 },
    })
    expect(error.code).toBe('DEADLINE_EXCEEDED')
    expect(error.message).toContain('step 3 of 3 (prompt)')
    expect(error.message).toContain('session/prompt')
  })

  it('ends at its deadline when a plugin never starts', async () => {
    const error = await errorOf({
      composition: withPlugin({ name: 'stuck', apply: () => new Promise(() => undefined) }),
      scenario: hello,
      timeouts: { mount: 500 },
    })
    expect(error.code).toBe('DEADLINE_EXCEEDED')
    expect(error.message).toMatch(/spec:added \(entry \S*added\) is loading/)
  })

  it('ends at its deadline when a plugin never stops', async () => {
    const error = await errorOf({
      composition: withPlugin({
        name: 'clinging',
        apply: (ctx: { effect(run: () => () => Promise<never>): void }) => {
          ctx.effect(() => () => new Promise<never>(() => undefined))
        },
      }),
      scenario: hello,
      timeouts: { dispose: 300 },
    })
    expect(error.code).toBe('DEADLINE_EXCEEDED')
    expect(error.message).toContain('did not finish disposing')
  })

  it('fails when the agent ends its process', async () => {
    const module = {
      name: 'quitter',
      inject: ['llm'],
      apply: (ctx: { on(event: string, listener: () => never, options: object): void }) => {
        ctx.on('llm/stream', () => process.exit(3), { global: true, prepend: true })
      },
    }
    const error = await errorOf({ composition: withPlugin(module), scenario: hello })
    expect(error.message).toContain('exit code 3')
  })
})
