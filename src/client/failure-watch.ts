import { SnapshotError } from '../errors.ts'
import { toError } from './shorten.ts'

// When a process dies its output ends first and its exit is reported a moment later: the exit says more.
const GRACE_MS = 500

/** What may end a run at any moment. */
export interface FailureSources {
  /** The host's: the agent is gone. Never rejects. */
  readonly hostFailed: Promise<Error>
  /** The tap's: a line of standard output that is not a frame. Never rejects. */
  readonly impure: Promise<Error>
  /** The protocol connection: aborts, with the reason, when it has closed. */
  readonly connection: AbortSignal
  /** The caller's. */
  readonly cancelled?: AbortSignal | undefined
}

/** One signal for all that may end a run; it aborts with the error to report. */
export interface FailureWatch extends Disposable {
  readonly signal: AbortSignal
}

/** Watches until it is disposed. */
export function watchForFailure(sources: FailureSources): FailureWatch {
  const failure = new AbortController()
  const stop = new AbortController()
  const { signal: stopped } = stop
  const fail = (error: Error): void => {
    if (!stopped.aborted) failure.abort(error)
  }
  void sources.hostFailed.then(error => fail(agentFailed(error)))
  void sources.impure.then(fail)
  onAbort(sources.cancelled, stopped, reason => fail(toError(reason)))
  onAbort(sources.connection, stopped, reason => {
    const timer = setTimeout(() => fail(connectionClosed(toError(reason))), GRACE_MS)
    // Whatever comes first, the run's end or a better reason: the timer must not hold the process.
    for (const over of [stopped, failure.signal]) onAbort(over, undefined, () => clearTimeout(timer))
  })
  return {
    signal: failure.signal,
    [Symbol.dispose]: () => stop.abort(),
  }
}

function onAbort(
  signal: AbortSignal | undefined,
  until: AbortSignal | undefined,
  then: (reason: unknown) => void,
): void {
  if (signal?.aborted === true) then(signal.reason)
  else
    signal?.addEventListener('abort', () => then(signal.reason), {
      once: true,
      ...(until && { signal: until }),
    })
}

function agentFailed(error: Error): SnapshotError {
  if (error instanceof SnapshotError) return error
  return new SnapshotError('STEP_FAILED', `the agent failed: ${error.message}.`, { cause: error })
}

function connectionClosed(reason: Error): SnapshotError {
  return new SnapshotError(
    'STEP_FAILED',
    `the connection to the agent closed (${reason.message}): it ended its standard output, or took no more input, ` +
      'before the script was over. Look at what it wrote to standard error.',
    { cause: reason },
  )
}
