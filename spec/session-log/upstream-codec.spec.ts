import { decodeStorageRecord, packChunkRuns } from '@deepseek-ai/dsh-session'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SnapshotError } from '../../src/errors.ts'
import {
  decodeRow,
  decodeRows,
  packEvents,
  type SessionEvent,
  type StorageRow,
} from '../../src/session-log/index.ts'
import { chunkEvents, logEvents } from './arbitraries.ts'

const place = { file: 'session.jsonl', line: 2 }
const theirs = (events: readonly SessionEvent[]): object[] =>
  packChunkRuns(events as unknown as Parameters<typeof packChunkRuns>[0])

/** The events as JSON, or undefined where the row is refused. */
function ours(row: unknown): string | undefined {
  try {
    return JSON.stringify(decodeRow(row, place))
  } catch (error) {
    if (error instanceof SnapshotError) return undefined
    throw error
  }
}

function theirsDecoded(row: unknown): string | undefined {
  try {
    return JSON.stringify(decodeStorageRecord(row))
  } catch {
    return undefined
  }
}

describe('the codec of @deepseek-ai/dsh-session', { timeout: 30_000 }, () => {
  it('packs to the same rows, key for key', () => {
    let packed = 0
    fc.assert(
      fc.property(chunkEvents, events => {
        const rows = packEvents(events)
        packed += rows.filter(row => 'seq0' in row).length
        expect(JSON.stringify(rows)).toBe(JSON.stringify(theirs(events)))
      }),
      { numRuns: 5000 },
    )
    expect(packed).toBeGreaterThan(2000)
  })

  it('decodes the same rows to the same events', () => {
    fc.assert(
      fc.property(chunkEvents, events => {
        for (const row of theirs(events)) expect(ours(row)).toBe(theirsDecoded(row))
      }),
      { numRuns: 5000 },
    )
  })

  it('decodes what ours packs to the events that it was given', () => {
    fc.assert(
      fc.property(chunkEvents, events => {
        const decoded = packEvents(events).flatMap(
          row => JSON.parse(theirsDecoded(JSON.parse(JSON.stringify(row))) ?? 'null') as unknown,
        )
        expect(JSON.stringify(decoded)).toBe(JSON.stringify(events))
      }),
      { numRuns: 5000 },
    )
  })

  it('packs whole logs to rows that ours reads, whatever else is in them', () => {
    const types = new Set<string>()
    fc.assert(
      fc.property(logEvents, events => {
        for (const { type } of events) types.add(type)
        expect(JSON.stringify(theirs(events))).toBe(JSON.stringify(packEvents(events)))
        expect(decodeRows(theirs(events) as StorageRow[])).toStrictEqual(events)
      }),
      { numRuns: 3000 },
    )
    expect(types).toContain('acme/unheard-of')
  })

  it('refuses the same rows', () => {
    let refused = 0
    fc.assert(
      fc.property(strangeRow, row => {
        const decoded = ours(row)
        if (decoded === undefined) refused++
        expect(decoded).toBe(theirsDecoded(row))
      }),
      { numRuns: 5000 },
    )
    expect(refused).toBeGreaterThan(500)
    expect(refused).toBeLessThan(4900)
  })

  it('alone reads a negative time0 and a last seq just beyond the safe range: the format refuses both', () => {
    const data = { turn: 1, step: 1, index: 0, dt: [0], texts: ['a', 'b'] }
    for (const place of [
      { seq0: 0, time0: -1 },
      { seq0: MAX, time0: 0 },
    ]) {
      const row = { type: 'text-chunks', ...place, data }
      expect(theirsDecoded(row)).toBeDefined()
      expect(ours(row)).toBeUndefined()
    }
  })
})

const MAX = Number.MAX_SAFE_INTEGER
const strange = fc.constantFrom<unknown>(undefined, null, 'a', '', 3, 1.5, true, [], ['a'], [1], {}, MAX + 1)
const often = (value: unknown, ...others: readonly fc.Arbitrary<unknown>[]): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(value) }, ...others)

/** A packed row in which a value or two may be out of place. */
const strangeRow = fc
  .record({
    type: fc.constantFrom('text-chunks', 'reasoning-chunks', 'tool-call-chunks'),
    size: fc.integer({ min: 1, max: 4 }),
    seq0: often(5, strange, fc.constantFrom(-1, MAX - 10)),
    time0: often(1000, strange, fc.constantFrom(MAX, MAX - 5)),
    turn: often(1, strange),
    step: often(1, strange),
    index: often(0, strange),
    gap: often(3, fc.constantFrom<unknown>(-2000, 0, 0.5, null, '1', MAX, -MAX, MAX + 1)),
    gapCount: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 0, 1, -1),
    member: often('x', strange),
    id: often('call', strange),
    name: fc.oneof(fc.constant(undefined), often('read', strange)),
    extra: fc.constantFrom('', '', '', '', '', '', '', '', 'row', 'data'),
    swap: fc.constantFrom(false, false, false, false, false, false, false, false, true),
  })
  .map(({ type, size, seq0, time0, turn, step, index, gap, gapCount, member, id, name, extra, swap }) => {
    const members = [...Array.from({ length: size - 1 }, () => 'm'), member]
    const dt = Array.from({ length: Math.max(0, size - 1 + gapCount) }, () => gap)
    const call = (type === 'tool-call-chunks') !== swap
    const body = call ? { id, ...(name !== undefined && { name }), args: members } : { texts: members }
    const data = { turn, step, index, dt, ...body, ...(extra === 'data' && { extra: 1 }) }
    // As JSON has it: a value that is undefined is a key that is missing.
    return JSON.parse(
      JSON.stringify({ type, seq0, time0, data, ...(extra === 'row' && { extra: 1 }) }),
    ) as unknown
  })
