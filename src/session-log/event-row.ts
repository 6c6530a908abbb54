import { describe, fail, wrong } from './fail.ts'
import { isCount, isInteger } from './integers.ts'
import { isRawObject, type RawObject } from './json-line.ts'
import { checkSurfaceOp } from './surface.ts'
import { isWritable, refuseUnwritable } from './writable.ts'
import type { JsonObject, JsonValue, LogPlace, SessionEvent } from './types.ts'

const ENVELOPE = ['type', 'seq', 'time', 'data', 'sourceEventSeqs', 'surfaceOp', 'ignorable']

/** A comparison a key costs less than a look into a set, and a log has as many envelopes as lines. */
function isEnvelopeKey(key: string): boolean {
  switch (key) {
    case 'type':
    case 'seq':
    case 'time':
    case 'data':
    case 'sourceEventSeqs':
    case 'surfaceOp':
    case 'ignorable':
      return true
    default:
      return false
  }
}

/**
 * Checks the envelope of an event row; `data` is not looked into.
 *
 * @param type - the row's type, known to be a string
 * @param restoredSeq - the seq of a row that has neither seq nor time; undefined where the row must have both
 * @returns a new event with its keys in the order of the format
 */
export function readEventRow(
  row: RawObject,
  type: string,
  place: LogPlace,
  restoredSeq: number | undefined,
): SessionEvent {
  for (const key in row) {
    if (!isEnvelopeKey(key)) {
      const allowed = ENVELOPE.join(', ')
      throw fail(
        place,
        `the event has the unknown key ${describe(key)} beside its data; expected only ${allowed}`,
      )
    }
  }
  const { seq = restoredSeq, time = restoredSeq === undefined ? undefined : 0, data } = row
  if (!isCount(seq)) throw wrong(place, 'seq', seq, 'a safe integer >= 0')
  if (!isInteger(time)) throw wrong(place, 'time', time, 'a safe integer: epoch milliseconds')
  if (!isRawObject(data)) throw wrong(place, 'data', data, 'an object')
  // All other values of a row, packed rows too, are checked one by one.
  if (!isWritable(data, 1)) refuseUnwritable(data, 1, 'data', place)
  const { sourceEventSeqs, surfaceOp, ignorable } = row
  checkSurfaceOp(type, surfaceOp, place)
  const event: { -readonly [Key in keyof SessionEvent]: SessionEvent[Key] } = {
    type,
    seq,
    time,
    data: data as JsonObject,
  }
  if (sourceEventSeqs !== undefined) event.sourceEventSeqs = readSourceSeqs(sourceEventSeqs, place)
  if (surfaceOp !== undefined) event.surfaceOp = surfaceOp as JsonValue
  if (ignorable !== undefined) {
    if (ignorable !== true) throw wrong(place, 'ignorable', ignorable, 'true, or no such key')
    event.ignorable = true
  }
  return event
}

function readSourceSeqs(value: unknown, place: LogPlace): readonly number[] {
  const expected = 'an array of safe integers >= 0'
  if (!Array.isArray(value)) throw wrong(place, 'sourceEventSeqs', value, expected)
  const seqs: readonly unknown[] = value
  const bad = seqs.findIndex(seq => !isCount(seq))
  if (bad >= 0) throw wrong(place, `sourceEventSeqs[${bad}]`, seqs[bad], 'a safe integer >= 0')
  return seqs as readonly number[]
}
