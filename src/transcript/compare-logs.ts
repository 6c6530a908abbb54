import type { SessionHeader, SessionLog } from '../session-log/types.ts'
import { standsForAnyId } from './any-id.ts'
import type { Difference } from './difference.ts'
import { lastSegment } from './path-pattern.ts'
import { changesAtMost, describe, sequenceDifference } from './sequence-difference.ts'
import { listChanges } from './value-difference.ts'

/**
 * Compares two normalised logs: the headers, then event by event. How events were packed into rows does not matter, nor
 * does the order of keys. A log without events equals an absent one. An expected id that is `{{sessionId}}` or the zero UUID
 * stands for any id; an expected header of a log without events may leave out its cwd.
 *
 * @param expected - the fixture, normalised with its `fixtureContext`; undefined where there is none
 * @param actual - the run's log, normalised with the run's context; undefined where the run persisted none
 * @returns the first difference, or undefined where there is none; index -1 is the header
 * @public
 */
export function compareLogs(
  expected: SessionLog | undefined,
  actual: SessionLog | undefined,
): Difference | undefined {
  const surface = lastSegment((expected ?? actual)?.file ?? '')
  const events = sequenceDifference(
    { surface, unit: 'events', base: 0 },
    expected?.events ?? [],
    actual?.events ?? [],
  )
  if (expected === undefined || actual === undefined) return events
  return headerDifference(surface, expected, actual) ?? events
}

function headerDifference(surface: string, expected: SessionLog, actual: SessionLog): Difference | undefined {
  const changes = listChanges(expected.header, comparableHeader(expected, actual.header), changesAtMost)
  const [first] = changes
  if (first === undefined) return undefined
  return {
    surface,
    index: -1,
    ...first,
    message: `${surface} header ${describe(first)}`,
    changes,
    counts: { unit: 'events', expected: expected.events.length, actual: actual.events.length },
  }
}

/** The actual header without what the expected one leaves open. */
function comparableHeader({ header, events }: SessionLog, actual: SessionHeader): SessionHeader {
  const identified = standsForAnyId(header.id) ? { ...actual, id: header.id } : actual
  if (events.length > 0 || header.cwd !== undefined) return identified
  const open: { cwd?: string } & SessionHeader = { ...identified }
  delete open.cwd
  return open
}
