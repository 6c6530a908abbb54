import { packEvents } from './pack.ts'
import type { SessionEvent, SessionLog, StorageRow } from './types.ts'

/**
 * Writes a log in its canonical form, with seq and time: the header line as it was, then the events packed over the
 * whole log, one compact row a line. Logs with the same header line and events have the same text.
 *
 * @param log - its events have seq contiguous from 0
 * @returns the text, with a trailing LF
 *
 * @public
 */
export function serializeSessionLog(log: SessionLog): string {
  return write(log, row => ('seq0' in row ? row : withOrderedKeys(row)))
}

/**
 * Writes a log as a fixture keeps it: the canonical form, whose rows lose their own seq, time, seq0 and time0, and
 * nothing else. {@link parseSessionLog} restores it.
 *
 * @param log - its events have seq contiguous from 0
 * @returns the text, with a trailing LF
 *
 * @public
 */
export function projectSessionLog(log: SessionLog): string {
  const removed = { seq: undefined, time: undefined, seq0: undefined, time0: undefined }
  return write(log, row => ({ ...('seq0' in row ? row : withOrderedKeys(row)), ...removed }))
}

function write(log: SessionLog, toJson: (row: StorageRow) => object): string {
  const lines = [log.headerLine]
  for (const row of packEvents(log.events)) lines.push(JSON.stringify(toJson(row)))
  lines.push('')
  return lines.join('\n')
}

/** An event that did not come out of this folder may have its keys in any order. */
function withOrderedKeys({
  type,
  seq,
  time,
  data,
  sourceEventSeqs,
  surfaceOp,
  ignorable,
}: SessionEvent): object {
  return { type, seq, time, data, sourceEventSeqs, surfaceOp, ignorable }
}
