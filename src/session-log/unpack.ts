import { fail } from './fail.ts'
import type { JsonObject, LogPlace, PackedRow, SessionEvent } from './types.ts'

/**
 * Appends the members of a checked row to `events`.
 *
 * @throws SnapshotError when the gaps lead to a time outside the safe range
 */
export function unpackRow(row: PackedRow, place: LogPlace, events: SessionEvent[]): void {
  const { turn, step, dt } = row.data
  const chunkOf = chunkMaker(row)
  let seq = row.seq0
  let time = row.time0
  let k = 0
  for (const member of row.type === 'tool-call-chunks' ? row.data.args : row.data.texts) {
    events.push({ type: 'assistant/chunk', seq, time, data: { turn, step, chunk: chunkOf(member) } })
    // After the last member there is no gap.
    time += dt[k] ?? 0
    if (!Number.isSafeInteger(time)) {
      throw fail(place, `data.dt[${k}] leads to the time ${time}; expected times that are safe integers`)
    }
    seq++
    k++
  }
}

function chunkMaker(row: PackedRow): (member: string) => JsonObject {
  const { index } = row.data
  if (row.type !== 'tool-call-chunks') {
    const type = row.type === 'text-chunks' ? 'text-delta' : 'reasoning-delta'
    return text => ({ type, index, text })
  }
  const type = 'tool-call-delta'
  const { id, name } = row.data
  if (name === undefined) return argumentsDelta => ({ type, index, id, argumentsDelta })
  return argumentsDelta => ({ type, index, id, name, argumentsDelta })
}
