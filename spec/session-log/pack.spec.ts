import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { decodeRow, decodeRows, packEvents, type SessionEvent } from '../../src/session-log/index.ts'
import { chunkEvents, logEvents } from './arbitraries.ts'
import { textDelta } from './logs.ts'

const texts = (...parts: readonly string[]): SessionEvent[] => parts.map((text, seq) => textDelta(seq, text))

function toolDelta(seq: number, name: string | undefined, id = 'call'): SessionEvent {
  const chunk = {
    type: 'tool-call-delta',
    index: 0,
    id,
    ...(name !== undefined && { name }),
    argumentsDelta: '{}',
  }
  return { type: 'assistant/chunk', seq, time: 5, data: { turn: 1, step: 1, chunk } }
}

/** The packable shape as a schema, and what members of one run share. */
const Packable = z
  .strictObject({
    type: z.literal('assistant/chunk'),
    seq: z.int().min(0),
    time: z.int(),
    data: z.strictObject({
      turn: z.number(),
      step: z.number(),
      chunk: z.union([
        z.strictObject({
          type: z.enum(['text-delta', 'reasoning-delta']),
          index: z.number(),
          text: z.string(),
        }),
        z.strictObject({
          type: z.literal('tool-call-delta'),
          index: z.number(),
          id: z.string(),
          name: z.exactOptional(z.string()),
          argumentsDelta: z.string(),
        }),
      ]),
    }),
  })
  .transform(({ data: { turn, step, chunk } }) =>
    JSON.stringify([turn, step, { ...chunk, text: undefined, argumentsDelta: undefined }]),
  )

/** How many events each row should hold: found by cutting the log wherever two neighbours can't share a row. */
function expectedRowSizes(events: readonly SessionEvent[]): number[] {
  const keys = events.map(event => Packable.safeParse(event).data)
  const runs: number[] = []
  for (const [k, event] of events.entries()) {
    const before = events[k - 1]
    const joined =
      before !== undefined &&
      keys[k] !== undefined &&
      keys[k] === keys[k - 1] &&
      event.seq === before.seq + 1 &&
      Number.isSafeInteger(event.time - before.time)
    const last = runs.length - 1
    if (joined) runs[last] = (runs[last] ?? 0) + 1
    else runs.push(1)
  }
  return runs.flatMap(size => (size >= 3 ? [size] : Array.from({ length: size }, () => 1)))
}

const rowSizes = (events: readonly SessionEvent[]): number[] =>
  packEvents(events).map(row => decodeRow(row, { file: 'x', line: 1 }).length)

describe('packEvents', { timeout: 30_000 }, () => {
  it('is undone by decodeRows', () => {
    fc.assert(
      fc.property(chunkEvents, events => {
        const back = decodeRows(
          JSON.parse(JSON.stringify(packEvents(events))) as ReturnType<typeof packEvents>,
        )
        expect(back).toStrictEqual(events)
        expect(JSON.stringify(back)).toBe(JSON.stringify(events))
      }),
      { numRuns: 1000 },
    )
  })

  it('gives the same rows again for what its rows decode to', () => {
    fc.assert(
      fc.property(fc.oneof(chunkEvents, logEvents), events => {
        const rows = packEvents(events)
        expect(packEvents(decodeRows(rows))).toStrictEqual(rows)
      }),
      { numRuns: 1000 },
    )
  })

  it('packs every maximal run of at least three, and nothing else', () => {
    let packed = 0
    fc.assert(
      fc.property(chunkEvents, events => {
        const sizes = rowSizes(events)
        packed += sizes.filter(size => size > 1).length
        expect(sizes).toEqual(expectedRowSizes(events))
      }),
      { numRuns: 1000 },
    )
    expect(packed).toBeGreaterThan(500)
  })

  it('changes neither its input nor the events that it leaves', () => {
    const events = texts('a', 'b', 'c')
    const [copy, lone] = [structuredClone(events), toolDelta(3, 'n')]
    expect(packEvents([...events, lone])[1]).toBe(lone)
    expect(events).toStrictEqual(copy)
  })

  it('writes the keys of a row in the order of the format', () => {
    expect(JSON.stringify(packEvents(texts('a', 'b', 'c')))).toBe(
      '[{"type":"text-chunks","seq0":0,"time0":1000,"data":{"turn":1,"step":1,"index":0,"dt":[1,1],"texts":["a","b","c"]}}]',
    )
    expect(JSON.stringify(packEvents([0, 1, 2].map(seq => toolDelta(seq, 'n'))))).toBe(
      '[{"type":"tool-call-chunks","seq0":0,"time0":5,"data":{"turn":1,"step":1,"index":0,"dt":[0,0],"id":"call","name":"n","args":["{}","{}","{}"]}}]',
    )
    expect(JSON.stringify(packEvents([0, 1, 2].map(seq => toolDelta(seq, undefined))))).toBe(
      '[{"type":"tool-call-chunks","seq0":0,"time0":5,"data":{"turn":1,"step":1,"index":0,"dt":[0,0],"id":"call","args":["{}","{}","{}"]}}]',
    )
  })

  it('does not join tool calls that differ in id, in name, or in having one', () => {
    for (const other of [toolDelta(3, 'n', 'other'), toolDelta(3, 'm'), toolDelta(3, undefined)]) {
      expect(rowSizes([...[0, 1, 2].map(seq => toolDelta(seq, 'n')), other])).toEqual([3, 1])
    }
  })

  it('leaves a name that is no string alone', () => {
    const chunk = { type: 'tool-call-delta', index: 0, id: 'call', name: null, argumentsDelta: '{}' }
    const events = texts('a', 'b', 'c').map(event => ({ ...event, data: { turn: 1, step: 1, chunk } }))
    expect(packEvents(events)).toEqual(events)
  })

  it('leaves chunks that are not deltas alone', () => {
    const events = [0, 1, 2].map(seq => ({
      ...textDelta(seq, ''),
      data: { turn: 1, step: 1, chunk: { type: 'finish', index: 0 } },
    }))
    expect(packEvents(events)).toEqual(events)
  })

  it('cuts a run where the gap in time is not a safe integer', () => {
    const far = Number.MAX_SAFE_INTEGER
    const events = [0, 1, 2, far, far, far, -2, 0, 1, 2].map((time, seq) => textDelta(seq, '', time))
    expect(rowSizes(events)).toEqual([6, 1, 3])
  })

  it.each([[-1], [0.5], [-0]])('does not pack the seq %d', first => {
    const events = [textDelta(first, ''), ...texts('a', 'b')]
    expect(packEvents(events)).toHaveLength(3)
  })

  it('does not pack what JSON could not write', () => {
    for (const change of [{ time: 0.5 }, { time: -0 }, { data: { turn: NaN, step: 1, chunk: {} } }]) {
      expect(packEvents(texts('a', 'b', 'c').map(event => ({ ...event, ...change })))).toHaveLength(3)
    }
    const endless = texts('a', 'b', 'c').map(event => ({ ...event, data: { ...event.data, step: Infinity } }))
    expect(packEvents(endless)).toHaveLength(3)
  })

  it('begins no row at a negative time, which no decoder reads, but may go through one', () => {
    const at = (...times: readonly number[]): number[] =>
      rowSizes(times.map((time, seq) => textDelta(seq, '', time)))
    expect(at(-1, 0, -5, 3)).toEqual([1, 3])
    expect(at(-3, -2, -1)).toEqual([1, 1, 1])
  })

  it('packs a run of 100,000', () => {
    const events = Array.from({ length: 100_000 }, (_, seq) => textDelta(seq, 't'))
    expect(packEvents(events)).toHaveLength(1)
  })
})
