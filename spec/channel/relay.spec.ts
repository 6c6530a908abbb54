import { describe, expect, it } from 'vitest'

import { relayEvents, relayModel } from '../../src/channel/relay.ts'
import type { StreamChunk } from '../../src/llm-replay/index.ts'
import { harness, request } from '../llm-replay/harness.ts'
import { channelPair } from './channel-pair.ts'

const text = (text: string): StreamChunk => ({ type: 'text-delta', index: 0, text })
const stop: StreamChunk = { type: 'finish', reason: { kind: 'stop' } }

/** What a stream gives. */
async function all(stream: AsyncIterable<unknown>): Promise<unknown[]> {
  const chunks: unknown[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return chunks
}

describe('relayModel', () => {
  it('has the run answer a composition, on routes that nobody else has', async () => {
    const asked: unknown[] = []
    const { agent, told } = await channelPair(
      async function* (call, lineage) {
        asked.push([call.sessionId, call.signal instanceof AbortSignal, lineage])
        yield await Promise.resolve(text('from the run'))
        yield stop
      },
      { routes: ['acme'] },
    )
    const ctx = await harness()
    const relay = relayModel(ctx, agent, { paceMs: 5, drift: 'report' })
    relay.settle()
    expect(await all(ctx.llm.stream(request({ session: 's1' })))).toEqual([text('from the run'), stop])
    expect(asked).toEqual([['s1', true, undefined]])
    expect(told).toContainEqual({ type: 'replay', paceMs: 5, drift: 'report' })
    relay.dispose()
    await agent.close()
  })

  it('lets the provider answer where the run says so', async () => {
    const { agent } = await channelPair(() => undefined)
    const ctx = await harness()
    relayModel(ctx, agent).settle()
    const provider = async function* (): AsyncGenerator<StreamChunk> {
      yield await Promise.resolve(text('from the provider'))
    }
    expect(await all(ctx.waterfall('llm/stream', request(), () => provider() as never))).toEqual([
      text('from the provider'),
    ])
  })

  it('says so where there is no provider to go on to', async () => {
    const { agent } = await channelPair(() => undefined, { routes: ['acme'] })
    const ctx = await harness()
    const relay = relayModel(ctx, agent)
    relay.settle()
    const [finish] = await all(ctx.llm.stream(request()))
    expect(JSON.stringify(finish)).toContain('no provider answers this route')
  })

  it('fails with what the run failed with', async () => {
    const { agent } = await channelPair(() => {
      throw new Error('nothing is recorded')
    })
    const ctx = await harness()
    relayModel(ctx, agent).settle()
    const stream = ctx.waterfall('llm/stream', request(), () => {
      throw new Error('the provider was reached')
    })
    await expect(all(stream)).rejects.toThrow('nothing is recorded')
  })

  it('rejects the reader in the turn of an abort, with its reason', async () => {
    const ended = Promise.withResolvers<boolean>()
    const { agent } = await channelPair(async function* ({ signal }) {
      signal?.addEventListener('abort', () => ended.resolve(true))
      yield text('one')
      await new Promise(() => undefined)
    })
    const ctx = await harness()
    relayModel(ctx, agent).settle()
    const abort = new AbortController()
    const answer = ctx.waterfall('llm/stream', request({ signal: abort.signal }), () => {
      throw new Error('the provider was reached')
    })
    const stream = answer[Symbol.asyncIterator]()
    expect(await stream.next()).toMatchObject({ value: text('one') })
    const waiting = stream.next()
    const reason = new Error('enough')
    const failed = expect(waiting).rejects.toBe(reason)
    abort.abort(reason)
    await failed
    expect(await ended.promise).toBe(true)
  })
})

describe('relayEvents', () => {
  it('tells of each event of each session, in order', async () => {
    const { agent, told, next } = await channelPair(() => undefined)
    const ctx = await harness()
    relayEvents(ctx, agent)
    const parent = { header: { id: 's1' } }
    const child = { header: { id: 's2', parentSession: 's1' } }
    const emit = ctx.emit.bind(ctx) as unknown as (event: string, session: object, logged: object) => void
    const log = (session: object, seq: number): void => {
      emit('session/event', session, { type: 'x', seq, time: 5, data: { seq } })
    }
    const done = next('disposed')
    log(parent, 0)
    log(child, 0)
    log(parent, 1)
    agent.tell({ type: 'disposed' })
    await done
    const event = (id: object, seq: number) => ({
      type: 'event',
      session: id,
      event: { type: 'x', seq, data: { seq } },
    })
    expect(told.slice(1, -1)).toEqual([
      event({ id: 's1' }, 0),
      event({ id: 's2', parentSession: 's1' }, 0),
      event({ id: 's1' }, 1),
    ])
  })
})
