import type { JsonObject } from '../session-log/types.ts'
import type { Difference } from './difference.ts'
import type { FrameSource } from './frames.ts'
import { agentStdout, expectedStdout, readFrames } from './frames.ts'
import { sequenceDifference } from './sequence-difference.ts'

/**
 * Compares two normalised outputs frame by frame. Values count, not spelling: spaces, blank lines and the order of keys
 * do not matter.
 *
 * @param expected - what `stdout.expected.jsonl` holds
 * @param actual - the run's, as `normalizeStdout` gives it
 * @returns the first difference, or undefined where there is none
 * @throws SnapshotError `SCENARIO_INVALID` or `STDOUT_INVALID` at a line that is not a JSON object
 * @public
 */
export function compareStdout(expected: string, actual: string): Difference | undefined {
  return sequenceDifference(
    { surface: 'stdout', unit: 'frames', base: 1 },
    frameValues(expected, expectedStdout),
    frameValues(actual, agentStdout),
  )
}

function frameValues(text: string, source: FrameSource): JsonObject[] {
  return Array.from(readFrames(text, source), ({ value }) => value)
}
