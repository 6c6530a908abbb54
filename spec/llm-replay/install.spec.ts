import path from 'node:path'
import type { Context } from '@deepseek-ai/cordis'
import { LlmAdapter, type StreamChunk as HarnessChunk } from '@deepseek-ai/dsh-llm'
import { describe, expect, it, vi } from 'vitest'
import type { SnapshotError } from '../../src/errors.ts'
import { installLlmReplay, type ModelCall } from '../../src/llm-replay/index.ts'
import { thrown } from '../support/thrown.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { logText } from './files.ts'
import { harness, request } from './harness.ts'
import { answer } from './logs.ts'
import { answers, chunksOf, script, textOf } from './scripts.ts'

/** A provider that must not be reached. */
class LiveAdapter extends LlmAdapter {
  reached = 0

  // eslint-disable-next-line @typescript-eslint/require-await -- an adapter's stream, which says only one thing
  async *stream(): AsyncGenerator<HarnessChunk> {
    this.reached += 1
    yield { type: 'finish', reason: { kind: 'stop' } }
  }
}

/** Makes a call as an agent does: prepared under its route first. */
async function call(ctx: Context, session = 'a'): Promise<string> {
  const asked = request({ session })
  const prepared = await ctx.llm.prepareCall({ provider: asked.provider, model: asked.model })
  return await textOf(prepared.stream(asked))
}

const routes = ['acme']

describe('installLlmReplay', () => {
  it('answers the calls of a bare context that has only llm, in order', async () => {
    const ctx = await harness()
    const calls: ModelCall[] = []
    const replay = installLlmReplay(ctx, {
      scripts: [answers('one', 'two')],
      routes,
      onCall: call => calls.push(call),
    })
    expect([await call(ctx), await call(ctx)]).toEqual(['one', 'two'])
    expect(calls.map(({ sessionId, index, request }) => [sessionId, index, request.model])).toEqual([
      ['a', 0, 'm-1'],
      ['a', 1, 'm-1'],
    ])
    replay.assertConsumed()
    expect(replay.bindings().map(binding => binding.sessionId)).toEqual(['a'])
  })

  it('answers a call that no adapter could, and one whose adapter is live, which it never reaches', async () => {
    const ctx = await harness()
    const live = new LiveAdapter()
    ctx.llm.registerAdapter(['acme'], live)
    installLlmReplay(ctx, { scripts: [answers('one', 'two')] })
    expect(await textOf(ctx.llm.stream(request({ provider: 'unheard-of' })))).toBe('one')
    expect(await textOf(ctx.llm.stream(request()))).toBe('two')
    await expect(textOf(ctx.llm.stream(request()))).rejects.toThrow(/session\.jsonl/)
    expect(live.reached).toBe(0)
  })

  it.each([
    [{ drift: 'x' }, 'drift'],
    [{ drfit: 'report' }, 'unknown key "drfit"'],
    [{ paceMs: -1 }, 'paceMs'],
    [{ providers: [{ id: 'acme' }] }, 'providers[0].models'],
  ])('refuses a config that the kernel would refuse: %j', async (config, problem) => {
    const ctx = await harness()
    const error = thrown(() =>
      installLlmReplay(ctx, { scripts: [answers('one')], routes, ...(config as object) }),
    )
    expect(error.code).toBe('REPLAY_INVALID')
    expect(error.message).toMatch(/^installLlmReplay, options: /)
    expect(error.message).toContain(problem)
    expect(ctx.llm.listProviders()).toEqual([])
  })

  it('never calls next', async () => {
    const ctx = await harness()
    installLlmReplay(ctx, { scripts: [answers('one')] })
    let next = 0
    const fallback = (): AsyncIterable<HarnessChunk> => {
      next += 1
      return new LiveAdapter().stream()
    }
    const answered = async (): Promise<unknown> =>
      await chunksOf(ctx.waterfall(ctx.llm, 'llm/stream', request(), fallback))
    expect(await answered()).toEqual(answer('one'))
    await expect(answered()).rejects.toMatchObject({ code: 'REPLAY_EXHAUSTED' })
    expect(next).toBe(0)
  })

  it('gives up with its listener and its routes when disposed of, and starts anew when installed again', async () => {
    const ctx = await harness()
    const calls: string[] = []
    const install = (name: string) =>
      installLlmReplay(ctx, {
        scripts: [answers('one', 'two')],
        routes,
        onCall: ({ index }) => calls.push(`${name} ${index}`),
      })
    const first = install('first')
    expect(await call(ctx)).toBe('one')
    first.dispose()
    first.dispose()
    expect(ctx.llm.listProviders()).toEqual([])
    await expect(call(ctx)).rejects.toMatchObject({ code: 'NO_ADAPTER' })

    const second = install('second')
    expect(await call(ctx, 'b')).toBe('one')
    expect(calls).toEqual(['first 0', 'second 0'])
    expect(() => first.assertConsumed()).toThrow(/entry 1 of 2 unread/)
    expect(await call(ctx, 'b')).toBe('two')
    second.assertConsumed()
    second.dispose()
    await expect(call(ctx)).rejects.toMatchObject({ code: 'NO_ADAPTER' })
    expect(calls).toHaveLength(3)
  })

  it('goes with the context', async () => {
    const ctx = await harness()
    const fiber = ctx.plugin({
      inject: ['llm'],
      apply: (inner: Context) => void installLlmReplay(inner, { scripts: [answers('one')], routes }),
    })
    await fiber
    expect(await call(ctx)).toBe('one')
    await fiber.dispose()
    expect(ctx.llm.listProviders()).toEqual([])
    await expect(call(ctx)).rejects.toMatchObject({ code: 'NO_ADAPTER' })
  })

  it('registers only the routes that nobody has, each once', async () => {
    const ctx = await harness()
    ctx.llm.registerAdapter(['live'], new LiveAdapter())
    const replay = installLlmReplay(ctx, {
      scripts: [],
      providers: [{ id: 'listed', name: 'Listed', models: [] }],
      routes: ['live', 'missing', 'listed', 'missing'],
    })
    const ids = (): string[] => ctx.llm.listProviders().map(({ id }) => id)
    expect(ids()).toEqual(['live', 'listed', 'missing'])
    expect(ctx.llm.listProviders()[1]).toEqual({ id: 'listed', name: 'Listed' })
    replay.dispose()
    expect(ids()).toEqual(['live'])
  })

  it('ends a throw entry with the facts of its failure, which a harness takes for the provider’s', async () => {
    const ctx = await harness()
    const facts = {
      message: 'slow down',
      code: 'RATE_LIMIT',
      status: 429,
      providerRetryAfterMs: 20,
      requestId: 'r-1',
    }
    const errors: SnapshotError[] = []
    installLlmReplay(ctx, {
      scripts: [script([{ kind: 'throw', chunks: [], ...facts }])],
      onError: error => errors.push(error),
    })
    expect(await chunksOf(ctx.llm.stream(request()))).toEqual([
      { type: 'finish', reason: { kind: 'error', failure: facts } },
    ])
    expect(errors).toEqual([])
    await expect(chunksOf(ctx.llm.stream(request()))).rejects.toMatchObject({ code: 'REPLAY_EXHAUSTED' })
    expect(errors.map(({ code }) => code)).toEqual(['REPLAY_EXHAUSTED'])
  })

  it('needs a script', async () => {
    const ctx = await harness()
    vi.stubEnv('DSH_SNAPSHOT_FILE', undefined)
    expect(() => installLlmReplay(ctx)).toThrow(/no session log to replay/)
    vi.unstubAllEnvs()
    expect(ctx.llm.listProviders()).toEqual([])
  })

  it('reads the scripts from the files of its config', async () => {
    const folder = tempFolder({ 'session.jsonl': logText(['recorded']) })
    const ctx = await harness()
    installLlmReplay(ctx, { file: path.join(folder, 'session.jsonl'), routes })
    expect(await call(ctx)).toBe('recorded')
  })
})
