import { Context } from '@deepseek-ai/cordis'
import Loader from '@deepseek-ai/cordis-plugin-loader'
import LlmRuntime, {
  createUserMessage,
  LlmAdapter,
  type StreamChunk as HarnessChunk,
} from '@deepseek-ai/dsh-llm'
import SessionStore, { SessionId } from '@deepseek-ai/dsh-session'
import { describe, expect, it } from 'vitest'
import type { SessionFixture } from '../src/fixtures/index.ts'
import { buildSessionScripts } from '../src/llm-replay/index.ts'
import { ReplaySeat, type SeatOptions } from '../src/replay-seat.ts'
import { stepRows } from './llm-replay/conversation.ts'
import { harness, request } from './llm-replay/harness.ts'
import { callRows, answer, logOf, type Row } from './llm-replay/logs.ts'
import { answers, script, textOf, turn } from './llm-replay/scripts.ts'

const context = (provider: unknown): Row => [
  'request/context',
  { provider: provider as string, model: 'm-1' },
]

const session = (...rows: Row[]): SessionFixture => ({ name: 'session.jsonl', log: logOf(rows) })

function seatOf(options: Partial<SeatOptions> = {}): ReplaySeat {
  const sessions = [session(context('acme'), ...callRows(1, 1, answer('one')))]
  return new ReplaySeat({
    mode: 'replay',
    scripts: [answers('one')],
    sessions,
    paceMs: undefined,
    drift: undefined,
    rules: [],
    ...options,
  })
}

/** A provider that may be asked for its catalogue, but for no answer. */
class Live extends LlmAdapter {
  stream(): AsyncIterable<HarnessChunk> {
    throw new Error('the provider was reached')
  }
}

const live = {
  name: 'live',
  inject: ['llm'],
  apply: (ctx: Context) => void ctx.llm.registerAdapter(['acme'], new Live()),
}

/** A composition of these plugins, in this order. */
async function mounted(plugins: readonly unknown[], configs: readonly unknown[] = []): Promise<Context> {
  const ctx = new Context()
  await ctx.plugin(Loader)
  for (const [index, plugin] of plugins.entries()) {
    ctx.loader.builtins[String(index)] = plugin
    await ctx.loader.create({ name: `cordis:${index}`, config: configs[index] })
  }
  await ctx.loader.await()
  return ctx
}

async function call(ctx: Context, session = 'a'): Promise<string> {
  const prepared = await ctx.llm.prepareCall({ provider: 'acme', model: 'm-1' })
  return await textOf(prepared.stream(request({ session })))
}

describe('ReplaySeat', () => {
  it('puts the replay over a composition that names none, with the routes that were recorded', async () => {
    const ctx = await harness()
    const sessions = [session(context('acme'), context(7)), session(context('acme'), context('other'))]
    const seat = seatOf({ sessions })
    expect(seat.bindings()).toEqual([])
    expect(seat.drifts()).toEqual([])
    expect(seat.gatesAwaited()).toEqual([])
    expect(seat.unconsumed()).toEqual([])
    seat.openGate('before anything is mounted')
    seat.installOver(ctx)
    expect(ctx.llm.listProviders().map(({ id }) => id)).toEqual(['acme', 'other'])
    expect(seat.unconsumed()).toEqual([expect.stringContaining('entry 0 of 1 unread')])
    expect(await call(ctx)).toBe('one')
    expect(seat.unconsumed()).toEqual([])
    expect(seat.calls.map(({ sessionId, index }) => [sessionId, index])).toEqual([['a', 0]])
    expect(seat.bindings().map(({ sessionId }) => sessionId)).toEqual(['a'])
  })

  it.each(['acp-snapshot/llm-replay', '@deepseek-ai/dsh-llm-replay'])(
    'sits at the entry that names %s, whatever files its config names',
    async name => {
      const seat = seatOf()
      const config = { file: '/nowhere/session.jsonl', providers: [{ id: 'listed', models: [] }] }
      const ctx = await mounted([LlmRuntime, seat.modules[name]], [undefined, config])
      seat.installOver(ctx)
      expect(ctx.llm.listProviders().map(({ id }) => id)).toEqual(['listed', 'acme'])
      expect(await call(ctx)).toBe('one')
      expect(seat.unconsumed()).toEqual([])
      await ctx.fiber.dispose()
      expect(seat.bindings()).toHaveLength(1)
    },
  )

  it('leaves a route to a live adapter that is mounted after it, and answers in its place', async () => {
    const seat = seatOf()
    const ctx = await mounted([LlmRuntime, seat.modules['acp-snapshot/llm-replay'], live])
    seat.installOver(ctx)
    expect(await call(ctx)).toBe('one')
  })

  it('answers a call that is made before all is mounted', async () => {
    const seat = seatOf()
    const ctx = await mounted([LlmRuntime, seat.modules['acp-snapshot/llm-replay'], live])
    expect(await call(ctx)).toBe('one')
    expect(seat.calls).toHaveLength(1)
  })

  it('lets whoever listens by then see each call first', async () => {
    const seat = seatOf()
    const seen: string[] = []
    const watcher = {
      name: 'watcher',
      apply: (ctx: Context) =>
        ctx.on(
          'llm/stream',
          (options, next) => {
            seen.push(options.model)
            return next()
          },
          { global: true },
        ),
    }
    const ctx = await mounted([LlmRuntime, seat.modules['acp-snapshot/llm-replay'], watcher])
    seat.installOver(ctx)
    await call(ctx)
    expect(seen).toEqual(['m-1'])
  })

  it('only counts calls in a recording, also where an entry names it', async () => {
    const seat = seatOf({ mode: 'record', scripts: [], sessions: [] })
    const ctx = await mounted([LlmRuntime, live, seat.modules['acp-snapshot/llm-replay']])
    seat.installOver(ctx)
    const prepared = await ctx.llm.prepareCall({ provider: 'acme', model: 'm-1' })
    const chunks = await Array.fromAsync(prepared.stream(request()))
    expect(chunks).toMatchObject([{ reason: { failure: { message: 'the provider was reached' } } }])
    expect(seat.calls).toEqual([{ sessionId: undefined, request: request() }])
  })

  it('answers another process, whose calls it is told of', async () => {
    const place = { cwd: '/work', context: { cwds: ['/work'], sessionIds: [] } }
    const seat = seatOf()
    const remote = seat.remote(place)
    expect(remote.routes).toEqual(['acme'])
    remote.configure({ drift: 'report' })
    const plain = { provider: 'acme', model: 'm-1', messages: [] }
    const answered = remote.answer({ ...plain, sessionId: 's1' }, { prompt: 'One?' })
    expect(await textOf(answered ?? expect.fail('nothing answers'))).toBe('one')
    expect(seat.calls).toMatchObject([{ sessionId: 's1', index: 0 }])
    expect(seat.unconsumed()).toEqual([])
    expect(remote.answer(plain, undefined)).toBeDefined()
  })

  it('lets the provider of another process answer in a recording, but for what an override has', async () => {
    const place = { cwd: '/work', context: { cwds: [], sessionIds: [] } }
    const override = { patches: [{ at: 1, entry: answers('mine').entries[0] ?? expect.fail() }] }
    const seat = seatOf({ mode: 'record', scripts: [], sessions: [{ ...session(), override }] })
    const remote = seat.remote(place)
    expect(remote.routes).toEqual([])
    const call = { provider: 'acme', model: 'm-1', messages: [], sessionId: 's1' }
    expect(remote.answer(call, {})).toBeUndefined()
    const mine = remote.answer(call, {})
    expect(await textOf(mine ?? expect.fail('nothing answers'))).toBe('mine')
    expect(seat.calls.map(({ script }) => script)).toEqual([undefined, 'session.jsonl'])
  })

  it('fails with the first error of the replay itself', async () => {
    const ctx = await harness()
    const seat = seatOf({ scripts: [answers()] })
    seat.installOver(ctx)
    expect(seat.failed.aborted).toBe(false)
    await expect(call(ctx)).rejects.toThrow()
    await expect(call(ctx, 'b')).rejects.toThrow()
    expect(seat.failed.reason).toMatchObject({
      code: 'REPLAY_EXHAUSTED',
      message: expect.stringContaining('a') as string,
    })
    expect((seat.failed.reason as Error).message).not.toContain('"b"')
  })

  it('opens gates and paces', async () => {
    const ctx = await harness()
    const entry = { kind: 'chunks' as const, chunks: answer('gated'), gates: [{ after: 0, name: 'go' }] }
    const seat = seatOf({ scripts: [script([entry])], paceMs: 1 })
    seat.installOver(ctx)
    let over = false
    const read = call(ctx).finally(() => (over = true))
    await turn()
    expect(over).toBe(false)
    expect(seat.gatesAwaited()).toEqual(['go'])
    seat.openGate('go')
    expect(await read).toBe('gated')
  })

  /** A seat over a session that the store has, whose first request says something else than its recording. */
  async function drifting(options: Partial<SeatOptions> = {}, config?: unknown) {
    const [scripted] = buildSessionScripts([
      { name: 'session.jsonl', log: logOf(stepRows(1, 'a', 'one'), { id: 'then' }) },
    ])
    const seat = seatOf({ scripts: scripted === undefined ? [] : [scripted], ...options })
    const ctx = await mounted(
      [LlmRuntime, SessionStore, seat.modules['acp-snapshot/llm-replay']],
      [undefined, undefined, config],
    )
    seat.installOver(ctx)
    ctx.sessions.create(SessionId('live-1'))
    const message = createUserMessage({ content: [{ type: 'text', text: 'A' }], source: { kind: 'user' } })
    const text = () => textOf(ctx.llm.stream({ ...request({ session: 'live-1' }), messages: [message] }))
    return { seat, text }
  }

  it('fails with a request that differs from its recording', async () => {
    const { seat, text } = await drifting()
    await expect(text()).rejects.toMatchObject({ code: 'REPLAY_DRIFT' })
    expect(seat.failed.reason).toMatchObject({ code: 'REPLAY_DRIFT' })
    expect(seat.drifts()).toMatchObject([{ index: 0, recorded: 'a', live: 'A' }])
  })

  it.each([
    ['the run', { drift: 'report' }, undefined],
    ['the run, whatever the entry says', { drift: 'report' }, { drift: 'error' }],
    ['the entry, where the run says nothing', {}, { drift: 'report' }],
  ] satisfies [string, Partial<SeatOptions>, unknown][])(
    'only keeps it where so is said by %s',
    async (_who, options, config) => {
      const { seat, text } = await drifting(options, config)
      expect(await text()).toBe('one')
      expect(seat.failed.aborted).toBe(false)
      expect(seat.drifts()).toMatchObject([{ recorded: 'a', live: 'A' }])
    },
  )

  it('passes on an error that is not about what was left', () => {
    const broken = { name: 'x', entries: undefined } as unknown as SeatOptions['scripts'][number]
    const seat = seatOf({ scripts: [broken] })
    seat.installOver({ on: () => () => undefined, llm: {} })
    expect(() => seat.unconsumed()).toThrow(TypeError)
  })
})
