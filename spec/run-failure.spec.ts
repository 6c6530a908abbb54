import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { runScenario, SnapshotError } from '../src/index.ts'
import { answers, prompts } from './support/model-answers.ts'
import { bundledScenarios, dshComposition } from './support/paths.ts'
import { tempFolder } from './support/temp-folder.ts'

function withPlugin(plugin: object) {
  return {
    config: dshComposition,
    patches: [{ insert: [{ id: 'added', name: 'spec:added' }] }],
    modules: { 'spec:added': plugin },
  }
}

interface StreamContext {
  on(
    event: 'llm/stream',
    listener: (request: unknown, next: () => AsyncIterable<unknown>) => AsyncIterable<unknown>,
    options: object,
  ): void
}

function raise(message: string): never {
  throw new Error(message)
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

  it('names the folder once, and has the error once, whatever the agent makes of it', async () => {
    const folder = tempFolder({
      'input.json': JSON.stringify({ steps: prompts('Hello?') }),
      'stdout.expected.jsonl': '',
      'session.jsonl':
        '{"type":"session","version":0,"id":"{{sessionId}}","createdAt":0,"delegationDepth":0}\n',
      'replay.override.json': JSON.stringify([answers({ text: '{{fromRequest:nowhere}}' })]),
    })
    // Its error begins with the file, which is in the folder.
    const drifting = tempFolder({}, undefined, 'drifting-')
    cpSync(path.join(bundledScenarios, 'text-turn'), drifting, { recursive: true })
    const log = path.join(drifting, 'session.jsonl')
    writeFileSync(log, readFileSync(log, 'utf8').replaceAll('capital of Iceland', 'capitol of Iceland'))
    for (const given of [folder, drifting, { steps: prompts('Hello?') }]) {
      const failed: unknown = await runScenario({ scenario: given, composition: dshComposition }).catch(
        (reason: unknown) => reason,
      )
      if (!(failed instanceof SnapshotError)) throw new Error('the run succeeded')
      const name = typeof given === 'string' ? given : 'inline'
      const cause = (failed.cause as SnapshotError).message
      expect(failed.message.split(cause)).toHaveLength(2)
      expect(failed.message.split(name)).toHaveLength(2)
      expect(failed.message).toContain('turn failed: (the error above)')
    }
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
    await expect(failed).rejects.toThrow(/^hello: .*good-bye/)
  })

  it.each([
    ['throws', () => raise('too late'), 'the agent crashed (uncaughtException): too late'],
    ['ends its process', () => process.exit(3), 'exit code 3'],
    ['prints', () => console.log('junk'), 'junk'],
    ['leaves a rejection', () => Promise.reject(new Error('unseen')), 'unhandledRejection): unseen'],
  ])('fails of an agent that %s in the turn after its last answer', async (_what, late, message) => {
    const plugin = {
      name: 'late',
      inject: ['llm'],
      apply: (ctx: StreamContext) => {
        ctx.on(
          'llm/stream',
          async function* (_request, next) {
            yield* next()
            setTimeout(late, 0)
          },
          { global: true, prepend: true },
        )
      },
    }
    await expect(runScenario({ scenario, composition: withPlugin(plugin) })).rejects.toThrow(message)
  })

  it('is disposed to the end also after an abort', async () => {
    const log: string[] = []
    const controller = new AbortController()
    const plugin = {
      name: 'careful',
      apply: (ctx: StreamContext & { effect(run: () => () => Promise<void>): void }) => {
        ctx.on('session/event' as 'llm/stream', (() => controller.abort(new Error('enough'))) as never, {
          global: true,
        })
        ctx.effect(() => async () => {
          await new Promise(resolve => setTimeout(resolve, 30))
          log.push('cleaned up')
        })
      },
    }
    const run = runScenario({ scenario, composition: withPlugin(plugin), signal: controller.signal })
    await expect(run).rejects.toThrow('enough')
    expect(log).toEqual(['cleaned up'])
  })

  it('ends with the reason of an abort in mount and in dispose', async () => {
    const reason = new Error('enough')
    const stuck = { name: 'stuck', apply: () => new Promise(() => undefined) }
    const clinging = {
      name: 'clinging',
      apply: (ctx: { effect(run: () => () => Promise<never>): void }) => {
        ctx.effect(() => () => {
          controller.abort(reason)
          return new Promise<never>(() => undefined)
        })
      },
    }
    let controller = new AbortController()
    const mounting = runScenario({ scenario, composition: withPlugin(stuck), signal: controller.signal })
    setTimeout(() => controller.abort(reason), 50)
    await expect(mounting).rejects.toBe(reason)
    controller = new AbortController()
    const disposing = runScenario({ scenario, composition: withPlugin(clinging), signal: controller.signal })
    await expect(disposing).rejects.toBe(reason)
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
