import { asDelta, type Delta } from './delta.ts'
import { isInteger } from './integers.ts'
import type { PackedRow, SessionEvent, StorageRow } from './types.ts'

/** A shorter run stays as it is. */
const MIN_MEMBERS = 3

/**
 * Packs events for storage, greedily: every maximal run of at least three deltas of one block becomes one row, all
 * other events stay as they are. {@link decodeRows} gives the events back.
 *
 * @param events - in log order; they need not begin at seq 0
 *
 * @public
 */
export function packEvents(events: readonly SessionEvent[]): StorageRow[] {
  const rows: StorageRow[] = []
  let run: Run | undefined
  for (const event of events) {
    const delta = asDelta(event)
    if (run !== undefined && delta !== undefined && continues(run, event, delta)) {
      run.dt.push(event.time - run.last.time)
      run.texts.push(delta.text)
      run.events.push(event)
      run.last = event
      continue
    }
    if (run !== undefined) flush(run, rows)
    run = undefined
    // A row can't begin with a negative time: its decoder refuses a negative time0.
    if (delta === undefined || event.time < 0) rows.push(event)
    else run = { first: event, last: event, delta, events: [event], dt: [], texts: [delta.text] }
  }
  if (run !== undefined) flush(run, rows)
  return rows
}

/** Neighbours that one row can hold. */
interface Run {
  readonly first: SessionEvent
  last: SessionEvent
  /** The first member; the others agree with it in all but the text. */
  readonly delta: Delta
  readonly events: SessionEvent[]
  readonly dt: number[]
  readonly texts: string[]
}

function continues(run: Run, event: SessionEvent, delta: Delta): boolean {
  const { delta: first, last } = run
  return (
    event.seq === last.seq + 1 &&
    isInteger(event.time - last.time) &&
    delta.rowType === first.rowType &&
    delta.turn === first.turn &&
    delta.step === first.step &&
    delta.index === first.index &&
    delta.id === first.id &&
    delta.name === first.name
  )
}

function flush(run: Run, rows: StorageRow[]): void {
  if (run.events.length >= MIN_MEMBERS) rows.push(toRow(run))
  else for (const event of run.events) rows.push(event)
}

function toRow({ first, delta, dt, texts }: Run): PackedRow {
  const { seq: seq0, time: time0 } = first
  const { turn, step, index } = delta
  if (delta.rowType !== 'tool-call-chunks') {
    return { type: delta.rowType, seq0, time0, data: { turn, step, index, dt, texts } }
  }
  const { rowType: type, id, name } = delta
  const named = name === undefined ? undefined : { name }
  return { type, seq0, time0, data: { turn, step, index, dt, id, ...named, args: texts } }
}
