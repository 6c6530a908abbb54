/**
 * One place in which two values differ.
 *
 * @public
 */
export interface Change {
  /** Where, e.g. `params.update.content[0].text`; empty for the value as a whole. */
  readonly path: string
  /** Undefined where it is absent. */
  readonly expected: unknown
  /** Undefined where it is absent. */
  readonly actual: unknown
}

/**
 * What stands around a difference, each frame or event as its number and its compact JSON, shortened.
 *
 * @public
 */
export interface DifferenceContext {
  /** Up to three that are equal on both sides, in order. */
  readonly before: readonly string[]
  /** The one that differs; absent on the side that has no more. */
  readonly expected?: string
  readonly actual?: string
  /** Up to three that follow, on each side; of a shift, those at which both go on alike, numbered as the run has them. */
  readonly afterExpected: readonly string[]
  readonly afterActual: readonly string[]
}

/**
 * The first difference on one surface of a run. What is no sequence of frames or events leaves out the fields about them.
 *
 * @public
 */
export interface Difference extends Change {
  /** What was compared: `stdout`, or the name of a log. */
  readonly surface: string
  /** Position of the frame or event, from 0; -1 for a log's header and for what has no positions. */
  readonly index: number
  /** All of the above in one short line. */
  readonly message: string
  /** The places in which that frame or event differs, at most five; the first is this difference's own. */
  readonly changes?: readonly Change[]
  /** How many frames or events each side has. */
  readonly counts?: { readonly unit: 'frames' | 'events'; readonly expected: number; readonly actual: number }
  readonly context?: DifferenceContext
  /** The frames or events that differ, whole and normalised; undefined on the side that has no such one. */
  readonly whole?: { readonly expected: unknown; readonly actual: unknown }
  /** When it came about, epoch ms, where that is known; it has nothing to do with what was expected. */
  readonly time?: number
  /** What differs within a text, as a unified diff without file names: lines that begin with a space, `-`, `+` or `@@`. */
  readonly textDiff?: readonly string[]
}
