import type { LlmFailure, StreamChunk } from './chunk.ts'
import { ReplayedFailure } from './failure.ts'

/**
 * Turns a provider's failure into the finish chunk that ends a stream, as the harness's model runtime does with
 * whatever an adapter throws. A listener that answers in an adapter's place must do it itself: what a listener throws
 * counts as a defect of a plugin.
 */
export async function* normalizedStream(
  stream: AsyncIterable<StreamChunk>,
  signal: AbortSignal | undefined,
): AsyncGenerator<StreamChunk, void, undefined> {
  try {
    yield* stream
  } catch (error) {
    const failure = providerFailure(error, signal)
    if (failure === undefined) throw error
    yield { type: 'finish', reason: { kind: signal?.aborted === true ? 'aborted' : 'error', failure } }
  }
}

function providerFailure(error: unknown, signal: AbortSignal | undefined): LlmFailure | undefined {
  if (error instanceof ReplayedFailure) return error.failure
  if (signal?.aborted !== true) return undefined
  return { message: error instanceof Error ? error.message : 'aborted', code: 'ABORTED' }
}
