import { readEventRow } from './event-row.ts'
import { describe, fail, wrong } from './fail.ts'
import { isRawObject, type RawObject } from './json-line.ts'
import { isPackedType, readPackedRow } from './packed-row.ts'
import type { LogPlace, PackedRow, SessionEvent, StorageRow } from './types.ts'
import { unpackRow } from './unpack.ts'

/**
 * Checks one complete row, as `JSON.parse` gives it, and decodes it: an event to itself, a packed row to its members.
 *
 * @param row - the value of one body line
 * @param place - where the row stands, for messages
 * @throws SnapshotError `SESSION_LOG_INVALID`, beginning with `file:line`, when the row is no event and no packed row
 *
 * @public
 */
export function decodeRow(row: unknown, place: LogPlace): SessionEvent[] {
  if (!isRawObject(row)) throw fail(place, `the row is ${describe(row)}; expected an object`)
  const events: SessionEvent[] = []
  decodeInto(events, row, place, undefined)
  return events
}

/**
 * Decodes complete rows: the inverse of {@link packEvents}. Rows need not begin at seq 0 nor be contiguous.
 *
 * @param rows - the body of a log, in order
 * @param file - what the log is called in messages, which count the first row as line 2, after the header
 * @throws SnapshotError `SESSION_LOG_INVALID`, as {@link decodeRow}
 *
 * @public
 */
export function decodeRows(rows: readonly StorageRow[], file = 'session.jsonl'): SessionEvent[] {
  const events: SessionEvent[] = []
  for (const [index, row] of rows.entries()) {
    for (const event of decodeRow(row, { file, line: index + 2 })) events.push(event)
  }
  return events
}

/**
 * Checks one row and appends what it decodes to.
 *
 * @param restoredSeq - the seq of a projected row's first event; undefined for a complete row
 * @returns the row, if it is a packed one
 */
export function decodeInto(
  events: SessionEvent[],
  row: RawObject,
  place: LogPlace,
  restoredSeq: number | undefined,
): PackedRow | undefined {
  const { type } = row
  if (typeof type !== 'string' || type === '')
    throw wrong(place, 'type', type, 'the name of an event or of a row')
  if (!isPackedType(type)) {
    events.push(readEventRow(row, type, place, restoredSeq))
    return undefined
  }
  const packed = readPackedRow(row, type, place, restoredSeq)
  unpackRow(packed, place, events)
  return packed
}
