/**
 * What went wrong, as a stable string that a program may branch on.
 *
 * @public
 */
export type SnapshotErrorCode =
  /** A file of a scenario is missing, unreadable, or breaks its format. */
  | 'SCENARIO_INVALID'
  /** A session log breaks the persisted format. */
  | 'SESSION_LOG_INVALID'
  /** A replay script, an override, or a placeholder is wrong. */
  | 'REPLAY_INVALID'
  /** The run asked for more than the recorded scripts hold. */
  | 'REPLAY_EXHAUSTED'
  /** The run ended before it had used all that was recorded. */
  | 'REPLAY_UNCONSUMED'
  /** The composition could not be found, read, imported, or made active. */
  | 'COMPOSITION_FAILED'
  /** A request to the model differs from the one that was recorded. */
  | 'REPLAY_DRIFT'
  /** The agent's standard output is not the protocol. */
  | 'STDOUT_INVALID'
  /** A step of the input script failed. */
  | 'STEP_FAILED'
  /** Something did not happen before its deadline. */
  | 'DEADLINE_EXCEEDED'
  /** Code inside a run reached for something that a run does not give. */
  | 'ISOLATION'
  /** The call itself is wrong: an option, an argument, a combination. */
  | 'USAGE'

/**
 * The one error class of this library. Its message says what happened, where, what was found, what was expected
 * and what to do next.
 *
 * @public
 */
export class SnapshotError extends Error {
  override readonly name = 'SnapshotError'
  /** Stable machine-readable code. */
  readonly code: SnapshotErrorCode
  /** The facts in the message, as data. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(
    code: SnapshotErrorCode,
    message: string,
    options: { readonly cause?: unknown; readonly details?: Readonly<Record<string, unknown>> } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.details = options.details ?? {}
  }
}
