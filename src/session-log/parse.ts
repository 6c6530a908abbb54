import { decodeInto } from './decode.ts'
import { fail } from './fail.ts'
import { parseSessionHeader } from './header.ts'
import { parseObjectLine, type RawObject } from './json-line.ts'
import { linesOf } from './lines.ts'
import type { LogPlace, SessionEvent, SessionLog } from './types.ts'

/**
 * Reads a session log: complete, as an agent stores it, or projected, as a fixture keeps it (then seq is counted and
 * time is 0). Lines end in LF or CRLF, blank lines are ignored. Packed rows are decoded.
 *
 * @param text - the whole log
 * @param file - what the log is called in messages: a path, or a name such as `session.jsonl`
 * @returns the log with its logical events, seq contiguous from 0
 * @throws SnapshotError `SESSION_LOG_INVALID`, beginning with `file:line`, for anything that breaks the format: the
 *   header, a row's keys or values, a gap in seq, projected rows among complete ones
 *
 * @public
 */
export function parseSessionLog(text: string, file: string): SessionLog {
  const lines = linesOf(text)
  const first = lines.next()
  if (first.done === true) {
    throw fail({ file, line: 1 }, 'the log is empty; expected a session header. Record the session again')
  }
  const headerLine = first.value.text
  const header = parseSessionHeader(headerLine, file, first.value.number)

  const events: SessionEvent[] = []
  let example: FirstRow | undefined
  for (const { text: line, number } of lines) {
    const place = { file, line: number }
    const row = parseObjectLine(line, place)
    const complete = isComplete(row, place)
    example ??= { complete, line: number }
    if (example.complete !== complete) throw mixed(place, example)
    const seq = events.length
    decodeInto(events, row, place, complete ? undefined : seq)
    if (complete) checkContiguous(events, seq, place)
  }
  return { file, header, headerLine, events }
}

/** The first row decides what all others must be. */
interface FirstRow {
  readonly complete: boolean
  readonly line: number
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
