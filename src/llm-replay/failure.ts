import type { LlmFailure } from './chunk.ts'
import type { ReplayThrowEntry } from './entry.ts'

/**
 * What a scripted call throws. A model runtime finds the facts in its own properties `code` and `failure`.
 *
 * @public
 */
export class ReplayedFailure extends Error {
  override readonly name = 'ReplayedFailure'
  readonly code: string
  readonly failure: LlmFailure

  constructor(failure: LlmFailure) {
    super(failure.message)
    this.code = failure.code
    this.failure = failure
  }
}

/** The facts of a throw entry: all but its kind and its chunks. */
export function failureOf(entry: ReplayThrowEntry): LlmFailure {
  const { message, code, status, providerRetryAfterMs, requestId } = entry
  return {
    message,
    code,
    ...(status === undefined ? {} : { status }),
    ...(providerRetryAfterMs === undefined ? {} : { providerRetryAfterMs }),
    ...(requestId === undefined ? {} : { requestId }),
  }
}
