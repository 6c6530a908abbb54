import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { runScenario, SnapshotError } from '../src/index.ts'
import { answers, prompts } from './support/model-answers.ts'
import { bundledScenarios, dshComposition } from './support/paths.ts'

function withPlugin(plugin: object) {
  return {
    config: dshComposition,
    patches: [{ insert: [{ id: 'added', name: 'spec:added' }] }],
    modules: { 'spec:added': plugin },
  }
}

const scenario = { name: 'hello', steps: prompts('Hello?'), replay: [answers({ text: 'Hello.' })] }

describe('a run that fails', () => {
  it('is named, and shows what the agent logged', async () => {
    const plugin = {
      name: 'complaining',
      apply: () => {
        console.error('the moon is not up')
      },
    }
    const failed = runScenario({
      scenario: { ...scenario, steps: prompts('Hello?', 'And now?') },
      composition: withPlugin(plugin),
    })
    await expect(failed).rejects.toThrow(/^hello: /)
    await expect(failed).rejects.toThrow('The agent logged:\n  the moon is not up')
    await expect(failed).rejects.toMatchObject({ details: { scenario: 'hello' } })
    await expect(failed).rejects.toBeInstanceOf(SnapshotError)
  })

  it('fails also of what happens after the last step', async () => {
    const plugin = {
      name: 'late',
      apply: (ctx: { effect(run: () => () => void): void }) => {
        ctx.effect(() => () => {
          void Promise.reject(new Error('too late'))
        })
      },
    }
    const failed = runScenario({ scenario, composition: withPlugin(plugin) })
    await expect(failed).rejects.toThrow('the agent crashed (unhandledRejection): too late')
  })

  it('fails of standard output after the last step that is not the protocol', async () => {
    const plugin = {
      name: 'parting',
      apply: (ctx: { effect(run: () => () => void): void }) => {
        ctx.effect(() => () => console.log('good-bye'))
      },
    }
    const failed = runScenario({ scenario, composition: withPlugin(plugin) })
    await expect(failed).rejects.toMatchObject({ code: 'STDOUT_INVALID' })
  })

  it('ends with the reason of an abort', async () => {
    const reason = new Error('enough')
    const aborted = { scenario: path.join(bundledScenarios, 'text-turn'), signal: AbortSignal.abort(reason) }
    await expect(runScenario(aborted)).rejects.toBe(reason)
    const later = new AbortController()
    const plugin = {
      name: 'aborting',
      inject: ['llm'],
      apply: (ctx: { on(event: string, listener: () => void, options: object): void }) => {
        ctx.on('session/event', () => later.abort(reason), { global: true })
      },
    }
    const run = runScenario({ scenario, composition: withPlugin(plugin), signal: later.signal })
    await expect(run).rejects.toBe(reason)
  })
})
