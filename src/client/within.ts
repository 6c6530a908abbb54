import { SnapshotError } from '../errors.ts'
import { toError } from './shorten.ts'

// A longer timer fires at once.
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** A wait that ends, and says so. */
export interface Wait {
  /** What is waited for, as a noun without an article: "answer to session/prompt". */
  readonly what: string
  /** How long, in ms. */
  readonly ms: number
  /** What a reader raises to wait longer: "timeoutMs of the step". */
  readonly limit: string
  /** What there was to see last; called where the wait fails. */
  readonly seen: () => string
  /** Ends the wait early; its reason is the error. */
  readonly failed: AbortSignal
}

/**
 * Waits for `work`, no longer than the deadline. The deadline's timer holds the process: a wait with nothing else pending
 * must end with its error, not with a silent exit.
 *
 * @param work - gets a signal that aborts when the wait is over for another reason
 * @throws SnapshotError `DEADLINE_EXCEEDED` past the deadline; else the code of what went wrong, `STEP_FAILED` where it has
 *   none. The message says what was waited for and what was seen last.
 */
export async function within<T>(wait: Wait, work: (deadline: AbortSignal) => Promise<T>): Promise<T> {
  const over = new AbortController()
  const ended = Promise.withResolvers<never>()
  const end = (error: Error): void => {
    over.abort(error)
    ended.reject(error)
  }
  const onFailed = (): void => end(toError(wait.failed.reason))
  const onDeadline = (): void =>
    end(new SnapshotError('DEADLINE_EXCEEDED', `no ${wait.what} within ${wait.ms} ms`))
  const timer = setTimeout(onDeadline, Math.min(wait.ms, LONGEST_TIMER_MS))
  wait.failed.addEventListener('abort', onFailed)
  if (wait.failed.aborted) onFailed()
  try {
    return await Promise.race([ended.promise, work(over.signal)])
  } catch (error) {
    throw failedWait(wait, toError(error))
  } finally {
    clearTimeout(timer)
    wait.failed.removeEventListener('abort', onFailed)
  }
}

function failedWait(wait: Wait, cause: Error): SnapshotError {
  const seen = wait.seen()
  const known = cause instanceof SnapshotError ? cause : undefined
  const code = known?.code ?? 'STEP_FAILED'
  const message =
    code === 'DEADLINE_EXCEEDED'
      ? `${cause.message}. Seen last: ${seen}. If the agent is only slow, raise ${wait.limit}.`
      : `${cause.message} (Waiting for: ${wait.what}. Seen last: ${seen}.)`
  const details = { ...known?.details, waitedFor: wait.what, seenLast: seen, timeoutMs: wait.ms }
  return new SnapshotError(code, message, { cause, details })
}
