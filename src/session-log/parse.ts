import { decodeInto } from './decode.ts'
import { decodeLogBytes } from './decompress.ts'
import { fail } from './fail.ts'
import { parseSessionHeader } from './header.ts'
import { parseObjectLine, type RawObject } from './json-line.ts'
import { LineReader } from './lines.ts'
import { keepRuns, type DeltaRun } from './runs.ts'
import type { LogPlace, SessionEvent, SessionLog } from './types.ts'
import { membersOf } from './unpack.ts'

/**
 * Reads a session log: complete, as an agent stores it, or projected, as a fixture keeps it (then seq is counted and
 * time is 0). Lines end in LF or CRLF, blank lines are ignored. Packed rows are decoded.
 *
 * @param content - the whole log: its text, or the bytes of its file, which are UTF-8 or Zstandard frames of it; at most
 *   64 MiB of text, and 2,000,000 events
 * @param file - what the log is called in messages: a path, or a name such as `session.jsonl`
 * @returns the log with its logical events, seq contiguous from 0
 * @throws SnapshotError `SESSION_LOG_INVALID`, beginning with `file:line`, for anything that breaks the format: the
 *   header, a row's keys or values, a gap in seq, projected rows among complete ones; beginning with `file` for bytes
 *   that are no text: a frame that is cut off or damaged, more text than is read, invalid UTF-8
 *
 * @public
 */
export function parseSessionLog(content: string | Uint8Array, file: string): SessionLog {
  const text = typeof content === 'string' ? content : decodeLogBytes(content, file)
  const reader = new LineReader(text)
  if (!reader.advance()) {
    throw fail({ file, line: 1 }, 'the log is empty; expected a session header. Record the session again')
  }
  const headerLine = reader.text
  const header = parseSessionHeader(headerLine, file, reader.number)

  const body: Body = { file, events: [], rows: [], runs: [], first: undefined }
  while (reader.advance()) readRow(body, reader.text, reader.number)
  const { events, rows } = body
  keepRuns(events, body.runs)
  let lines: readonly number[] | undefined
  return {
    file,
    header,
    headerLine,
    events,
    /** Seldom asked for, and then for a message: made when it is. */
    get lines() {
      return (lines ??= linesOfEvents(rows))
    },
  }
}

function linesOfEvents(rows: readonly RowPlace[]): number[] {
  const lines: number[] = []
  for (const { end, line } of rows) while (lines.length < end) lines.push(line)
  return lines
}

/** What has been read of a log's rows. */
interface Body {
  readonly file: string
  readonly events: SessionEvent[]
  readonly rows: RowPlace[]
  readonly runs: DeltaRun[]
  first: FirstRow | undefined
}

/** A row's line, and the seq after that of its last event. */
interface RowPlace {
  readonly line: number
  readonly end: number
}

/** The first row decides what all others must be. */
interface FirstRow {
  readonly complete: boolean
  readonly line: number
}

function readRow(body: Body, text: string, line: number): void {
  const { file, events } = body
  const place = { file, line }
  const row = parseObjectLine(text, place)
  const complete = isComplete(row, place)
  body.first ??= { complete, line }
  if (body.first.complete !== complete) throw mixed(place, body.first)
  const seq = events.length
  const packed = decodeInto(events, row, place, complete ? undefined : seq)
  if (complete) checkContiguous(events, seq, place)
  const end = events.length
  body.rows.push({ line, end })
  if (packed !== undefined) body.runs.push({ start: seq, end, texts: membersOf(packed) })
}

/** Whether a row has its place and time (complete) or neither (projected). */
function isComplete(row: RawObject, place: LogPlace): boolean {
  const hasSeq = row.seq !== undefined || row.seq0 !== undefined
  const hasTime = row.time !== undefined || row.time0 !== undefined
  if (hasSeq === hasTime) return hasSeq
  const half = hasSeq ? 'a seq but no time' : 'a time but no seq'
  throw fail(
    place,
    `the row has ${half}; expected both (as an agent stores it) or neither (as a fixture keeps it)`,
  )
}

function mixed(place: LogPlace, first: FirstRow): Error {
  const [here, there] = first.complete ? ['no seq and time', 'has them'] : ['seq and time', 'has none']
  return fail(
    place,
    `the row has ${here}, but line ${first.line} ${there}; expected all rows of a file to be complete or all to be ` +
      `projected. Don't join logs of both kinds: project the complete one first`,
  )
}

function checkContiguous(events: readonly SessionEvent[], seq: number, place: LogPlace): void {
  const found = events[seq]?.seq
  if (found === seq) return
  throw fail(
    place,
    `the row's seq is ${found}; expected ${seq}, the number of events before it. A row is missing, doubled or out of ` +
      `order here`,
  )
}
