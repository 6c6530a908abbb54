import type { StreamChunk } from './chunk.ts'

/**
 * A stream whose reader is told of an abort at once: the read that is under way rejects with the signal's reason in the
 * same turn, whatever the source is waiting for. How soon an agent sees the abort decides the order in which it logs
 * and answers, so no promise may stand between the signal and the reader.
 */
export function abortableStream(
  source: AsyncGenerator<StreamChunk, void, undefined>,
  signal: AbortSignal | undefined,
): AsyncIterableIterator<StreamChunk, void, undefined> {
  if (signal === undefined) return source
  let over = false
  const end = (): void => {
    over = true
    // The source may be in the middle of a wait, which the abort ends as well.
    source.return().catch(() => undefined)
  }
  return {
    next: () => {
      if (over) return Promise.resolve(done)
      const { promise, resolve, reject } = Promise.withResolvers<IteratorResult<StreamChunk, void>>()
      const onAbort = (): void => {
        end()
        // The reason as it is, though it need not be an error.
        reject(signal.reason as Error)
      }
      if (signal.aborted) onAbort()
      else {
        signal.addEventListener('abort', onAbort, { once: true })
        const read = source.next()
        // Before the reader hears of the chunk: it may abort on the spot, which is for its next read to reject.
        const forget = (): void => signal.removeEventListener('abort', onAbort)
        read.then(forget, forget)
        read.then(resolve, reject)
      }
      return promise
    },
    return: () => {
      end()
      return Promise.resolve(done)
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

const done: IteratorReturnResult<undefined> = { done: true, value: undefined }
