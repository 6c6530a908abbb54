import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { abortableStream } from '../../src/llm-replay/abortable-stream.ts'
import type { StreamChunk } from '../../src/llm-replay/chunk.ts'
import { answer, cut } from './logs.ts'
import { chunksOf, turn } from './scripts.ts'

async function* streamOf(chunks: readonly StreamChunk[]): AsyncGenerator<StreamChunk, void, undefined> {
  yield* chunks
  await Promise.resolve()
}

/** Says a beginning and then waits for the abort as a generator does: by a promise that the signal rejects. */
async function* hanging(
  signal: AbortSignal,
  closed?: () => void,
): AsyncGenerator<StreamChunk, void, undefined> {
  try {
    yield* cut
    await new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(new Error('source'))),
    )
  } finally {
    closed?.()
  }
}

describe('abortableStream', () => {
  it.each([
    ['no signal', undefined],
    ['a signal that stays silent', new AbortController().signal],
  ])('reads through to the end with %s', async (_what, signal) => {
    const stream = abortableStream(streamOf(answer('x')), signal)
    expect(await chunksOf(stream)).toEqual(answer('x'))
    expect(await stream.next()).toEqual({ done: true, value: undefined })
  })

  it('leaves no listener on the signal', async () => {
    const { signal } = new AbortController()
    await chunksOf(abortableStream(streamOf(answer('x')), signal))
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  })

  it('passes on an error of the source, and is over then', async () => {
    async function* broken(): AsyncGenerator<StreamChunk, void, undefined> {
      yield* cut
      await Promise.reject(new Error('torn'))
    }
    const { signal } = new AbortController()
    const stream = abortableStream(broken(), signal)
    await stream.next()
    await stream.next()
    await expect(stream.next()).rejects.toThrow('torn')
    expect((await stream.next()).done).toBe(true)
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  })

  it.each([new Error('cancelled'), 'stop', { kind: 'user' }, undefined])(
    "rejects the read that is under way with the signal's own reason: %j",
    async reason => {
      const controller = new AbortController()
      const stream = abortableStream(hanging(controller.signal), controller.signal)
      await stream.next()
      await stream.next()
      const read = stream.next().catch((error: unknown) => error)
      controller.abort(reason)
      expect(await read).toBe(controller.signal.reason)
      expect((await stream.next()).done).toBe(true)
    },
  )

  it('tells the reader before a chain through a generator could', async () => {
    const controller = new AbortController()
    const { signal } = controller
    const order: string[] = []
    const readToEnd = async (name: string, stream: AsyncIterable<StreamChunk>): Promise<void> => {
      try {
        for await (const chunk of stream) order.push(`${name} ${chunk.type}`)
      } catch {
        order.push(`${name} aborted`)
      }
    }
    async function* through(
      source: AsyncIterable<StreamChunk>,
    ): AsyncGenerator<StreamChunk, void, undefined> {
      yield* source
    }
    // The chain hears of the abort first and all the same tells its reader last.
    const chained = readToEnd('chained', through(hanging(signal)))
    const direct = readToEnd('direct', abortableStream(hanging(signal), signal))
    await turn()
    order.length = 0
    controller.abort()
    queueMicrotask(() => order.push('one tick'))
    await Promise.all([chained, direct])
    expect(order).toEqual(['direct aborted', 'one tick', 'chained aborted'])
  })

  it('gives no chunk after an abort, though the source has one', async () => {
    const controller = new AbortController()
    const stream = abortableStream(streamOf(answer('x')), controller.signal)
    await stream.next()
    controller.abort(new Error('cancelled'))
    await expect(stream.next()).rejects.toThrow('cancelled')
    expect((await stream.next()).done).toBe(true)
  })

  it.each(['an abort', 'a reader that leaves'])('closes the source after %s', async why => {
    const controller = new AbortController()
    let closed = 0
    const source = hanging(controller.signal, () => closed++)
    const stream = abortableStream(source, controller.signal)
    await stream.next()
    if (why === 'an abort') {
      controller.abort()
      await expect(stream.next()).rejects.toBe(controller.signal.reason)
    } else await stream.return?.()
    await turn()
    expect(closed).toBe(1)
    expect((await stream.next()).done).toBe(true)
  })

  it('keeps to itself what the source makes of its end', async () => {
    async function* untidy(): AsyncGenerator<StreamChunk, void, undefined> {
      try {
        yield* cut
      } finally {
        await Promise.reject(new Error('of the source'))
      }
    }
    const controller = new AbortController()
    const stream = abortableStream(untidy(), controller.signal)
    await stream.next()
    controller.abort(new Error('cancelled'))
    await expect(stream.next()).rejects.toThrow('cancelled')
    // An unhandled rejection would fail the run.
    await turn()
  })

  it('ends the read of a reader that leaves meanwhile, once the abort comes', async () => {
    const controller = new AbortController()
    const stream = abortableStream(hanging(controller.signal), controller.signal)
    await stream.next()
    await stream.next()
    const read = stream.next().catch((error: unknown) => error)
    expect(await stream.return?.()).toEqual({ done: true, value: undefined })
    controller.abort()
    expect(await read).toBe(controller.signal.reason)
  })
})
