import type { SessionEvent } from './types.ts'

/**
 * Events that were read from one packed row: deltas of one block, checked with the row. They differ in seq, time and text
 * alone, so that whoever walks over a log can look at the first for all of them.
 */
export interface DeltaRun {
  /** The seq of the first. */
  readonly start: number
  /** The seq after that of the last. */
  readonly end: number
  /** What each adds to its block, in order. */
  readonly texts: readonly string[]
}

const runs = new WeakMap<readonly SessionEvent[], readonly DeltaRun[]>()

/** Keeps the runs of a log with the array of its events, which nobody changes. */
export function keepRuns(events: readonly SessionEvent[], found: readonly DeltaRun[]): void {
  runs.set(events, found)
}

/** The runs among the events, in order; none where the array is not one that a log was read into. */
export function runsOf(events: readonly SessionEvent[]): readonly DeltaRun[] {
  return runs.get(events) ?? []
}
