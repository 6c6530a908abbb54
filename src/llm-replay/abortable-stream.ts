import type { StreamChunk } from './chunk.ts'

/**
 * A stream whose reader is told of an abort at once: the read that is under way rejects with the signal's reason in the
 * same turn, whatever the source is waiting for. How soon an agent sees the abort decides the order in which it logs
 * and answers, so no promise may stand between the signal and the reader.
 */
export function abortableStream(
  source: AsyncGenerator<StreamChunk, void, undefined>,
  signal: AbortSignal | undefined,
): AsyncIterableIterator<StreamChunk, undefined, undefined> {
  if (signal === undefined) return readThrough(source)
  let over = false
  const end = (): void => {
    over = true
    // The source may be in the middle of a wait, which the abort ends as well.
    source.return().catch(() => undefined)
  }
  return {
    next: () => {
      if (over) return Promise.resolve(done)
      const { promise, resolve, reject } = Promise.withResolvers<IteratorResult<StreamChunk, undefined>>()
      const onAbort = (): void => {
        end()
        reject(reasonOf(signal))
      }
      if (signal.aborted) onAbort()
      else {
        signal.addEventListener('abort', onAbort, { once: true })
        source
          .next()
          .then(result => resolve(result.done === true ? done : result), reject)
          .finally(() => signal.removeEventListener('abort', onAbort))
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

async function* readThrough(
  source: AsyncGenerator<StreamChunk, void, undefined>,
): AsyncGenerator<StreamChunk, undefined, undefined> {
  yield* source
  return undefined
}

function reasonOf(signal: AbortSignal): Error {
  const reason: unknown = signal.reason
  return reason instanceof Error ? reason : new Error('aborted', { cause: reason })
}
