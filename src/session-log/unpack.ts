import { fail } from './fail.ts'
import type {
  JsonObject,
  LogPlace,
  PackedRow,
  SessionEvent,
  TextChunksRow,
  ToolCallChunksRow,
} from './types.ts'

/** The most events that a log may have: a member of a row takes three bytes of a file, and a hundred times that in memory. */
const MAX_EVENTS = 2_000_000

/** What each member of a row adds to its block, in order. */
export function membersOf(row: PackedRow): readonly string[] {
  return row.type === 'tool-call-chunks' ? row.data.args : row.data.texts
}

/**
 * Appends the members of a checked row to `events`.
 *
 * @throws SnapshotError when the gaps lead to a time outside the safe range, or the log has too many events
 */
export function unpackRow(row: PackedRow, place: LogPlace, events: SessionEvent[]): void {
  const count = events.length + membersOf(row).length
  if (count > MAX_EVENTS) throw tooMany(count, place)
  if (row.type === 'tool-call-chunks') unpackToolCall(row, place, events)
  else unpackText(row, place, events)
}

function unpackText(row: TextChunksRow, place: LogPlace, events: SessionEvent[]): void {
  const { turn, step, index, dt, texts } = row.data
  const type = row.type === 'text-chunks' ? 'text-delta' : 'reasoning-delta'
  let time = row.time0
  let k = 0
  for (const text of texts) {
    const data = { turn, step, chunk: { type, index, text } }
    events.push({ type: 'assistant/chunk', seq: row.seq0 + k, time, data })
    time = nextTime(time, dt, k, place)
    k++
  }
}

function unpackToolCall(row: ToolCallChunksRow, place: LogPlace, events: SessionEvent[]): void {
  const { turn, step, index, dt, id, name, args } = row.data
  const type = 'tool-call-delta'
  let time = row.time0
  let k = 0
  for (const argumentsDelta of args) {
    const chunk: JsonObject =
      name === undefined ? { type, index, id, argumentsDelta } : { type, index, id, name, argumentsDelta }
    events.push({ type: 'assistant/chunk', seq: row.seq0 + k, time, data: { turn, step, chunk } })
    time = nextTime(time, dt, k, place)
    k++
  }
}

/** After the last member there is no gap. */
function nextTime(time: number, dt: readonly number[], k: number, place: LogPlace): number {
  const next = time + (dt[k] ?? 0)
  if (Number.isSafeInteger(next)) return next
  throw fail(place, `data.dt[${k}] leads to the time ${next}; expected times that are safe integers`)
}

function tooMany(events: number, place: LogPlace): Error {
  return fail(
    place,
    `with this row the log has ${events} events; expected at most ${MAX_EVENTS}. Record several shorter sessions instead`,
  )
}
