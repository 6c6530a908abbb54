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
  /** A run differs from its recording. */
  | 'RUN_DIFFERS'
  /** The agent's standard output is not the protocol. */
  | 'STDOUT_INVALID'
  /** A step of the input script failed. */
  | 'STEP_FAILED'
  /** Something did not happen before its deadline. */
  | 'DEADLINE_EXCEEDED'
  /** What is about to be written holds a secret. */
  | 'SECRET_FOUND'
  /** Code inside a run reached for something that a run does not give. */
  | 'ISOLATION'
  /** The call itself is wrong: an option, an argument, a combination. */
  | 'USAGE'

/** What else an error says. @public */
export interface SnapshotErrorOptions {
  readonly cause?: unknown
  readonly details?: Readonly<Record<string, unknown>>
  /** Two values that differ. */
  readonly compared?: { readonly expected: unknown; readonly actual: unknown }
}

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
  /** What was expected, where something was compared: a test runner draws the diff of the two. */
  declare readonly expected?: unknown
  declare readonly actual?: unknown

  constructor(code: SnapshotErrorCode, message: string, options: SnapshotErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.details = options.details ?? {}
    // Test runners look for the properties themselves, so that only such an error may have them.
    if (options.compared !== undefined) Object.assign(this, options.compared)
  }
}
