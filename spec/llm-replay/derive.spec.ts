import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StreamChunk } from '../../src/llm-replay/chunk.ts'
import { deriveReplayScript } from '../../src/llm-replay/derive.ts'
import { parseSessionLog, serializeSessionLog } from '../../src/session-log/index.ts'
import type { JsonObject, SessionHeader, SessionLog } from '../../src/session-log/types.ts'
import { streams, usages } from './arbitrary.ts'
import { answer, callRows, chunkRow, cut, logOf, type Row } from './logs.ts'
import { thrown } from '../support/thrown.ts'

const noise = fc.constantFrom<Row>(
  ['turn/start', { turn: 1 }],
  ['step/end', { turn: 1, step: 1 }],
  ['compaction/summary', { compactionId: 'c', rawOutput: [{ type: 'text', text: 'of a template' }] }],
  ['of a plugin', { chunk: { type: 'finish' } }],
)

const summaryRow = (data: JsonObject): Row => ['compaction/summary', { compactionId: 'c', ...data }]

/** A call as the log holds it, and the chunks that it must come back as. */
interface LoggedCall {
  readonly rows: (turn: number, step: number) => Row[]
  readonly chunks: readonly StreamChunk[]
}

const streamedCalls = streams.map((chunks): LoggedCall => ({
  rows: (turn, step) => callRows(turn, step, chunks),
  chunks,
}))

const summaryCalls = fc
  .record({ texts: fc.array(fc.string()), usage: fc.option(usages, { nil: undefined }) })
  .map(({ texts, usage }): LoggedCall => {
    const rawOutput = texts.map(text => ({ type: 'text', text }))
    const recorded = usage === undefined ? {} : { usage: { ...usage } }
    const chunks: StreamChunk[] = []
    for (const [index, block] of rawOutput.entries()) {
      chunks.push({ type: 'block-start', index, blockType: 'text' }, { type: 'block-end', index, block })
    }
    if (usage !== undefined) chunks.push({ type: 'usage', usage })
    chunks.push({ type: 'finish', reason: { kind: 'stop' } })
    return { rows: () => [summaryRow({ llmStreamCall: true, rawOutput, ...recorded })], chunks }
  })

const calls = fc.oneof(streamedCalls, summaryCalls)

describe('deriveReplayScript', () => {
  it('gives back the calls that a log was made of, retries within a step too', () => {
    const placed = fc.record({ call: calls, retry: fc.boolean(), before: fc.array(noise, { maxLength: 2 }) })
    fc.assert(
      fc.property(fc.array(placed, { maxLength: 5 }), list => {
        const rows: Row[] = []
        let step = 1
        for (const { call, retry, before } of list) {
          if (!retry) step++
          rows.push(...before, ...call.rows(1, step))
        }
        const expected = list.map(({ call }) => ({ kind: 'chunks', chunks: call.chunks }))
        expect(deriveReplayScript(logOf(rows))).toEqual(expected)
      }),
    )
  })

  it("begins a fork's own script at seedLength", () => {
    const inherited = [...callRows(1, 1, answer('old')), ...callRows(2, 1, cut)]
    const rows = [...inherited, ...callRows(3, 1, answer('new'))]
    const script = deriveReplayScript(logOf(rows, { seedLength: inherited.length }))
    expect(script).toEqual([{ kind: 'chunks', chunks: answer('new') }])
    expect(deriveReplayScript(logOf(inherited, { seedLength: inherited.length }))).toEqual([])
  })

  it('refuses a seedLength beyond the log', () => {
    const error = thrown(() => deriveReplayScript(logOf(callRows(1, 1, answer('x')), { seedLength: 6 })))
    expect(error.code).toBe('REPLAY_INVALID')
    expect(error.message).toContain('session.jsonl: seedLength is 6, but the log holds 5 events')
  })

  it.each([
    ['the log ends', [], 'has no finish: the log ends'],
    ['another step begins', callRows(2, 3, answer('y')), 'turn 2, step 3 begins (event 8)'],
    ['another turn begins', callRows(3, 2, answer('y')), 'turn 3, step 2 begins (event 8)'],
    ['a summary follows', [summaryRow({})], 'a compaction summary follows (event 8)'],
  ])('refuses a call without a finish: %s', (_, rest, why) => {
    const rows = [
      ['turn/start', { turn: 2 }] as const,
      ...callRows(1, 1, answer('x')),
      ...callRows(2, 2, cut),
      ...rest,
    ]
    const error = thrown(() => deriveReplayScript(logOf(rows, {}, 'dir/session.2.jsonl')))
    expect(error.code).toBe('REPLAY_INVALID')
    expect(error.message).toMatch(
      /^dir\/session\.2\.jsonl: model call 1 \(turn 2, step 2\), which begins at event 6, /,
    )
    expect(error.message).toContain(why)
    expect(error.message).toContain('Say in replay.override.2.json')
    expect(error.message).toContain('{"at":1,"entry":…}')
    expect(error.details).toEqual({ file: 'dir/session.2.jsonl', position: 1, turn: 2, step: 2, seq: 6 })
  })

  it('names the primary override where the name of the log says nothing', () => {
    const error = thrown(() => deriveReplayScript(logOf(callRows(1, 1, cut), {}, 'other.jsonl')))
    expect(error.message).toContain('Say in replay.override.json')
  })

  it('accepts a call without a finish where an override puts another entry', () => {
    const rows = [...callRows(1, 1, cut), ...callRows(1, 2, answer('x')), ...callRows(2, 1, cut)]
    const script = deriveReplayScript(logOf(rows), { replaced: new Set([0, 2]) })
    expect(script.map(entry => entry.kind)).toEqual(['chunks', 'chunks', 'chunks'])
    expect(script[1]).toEqual({ kind: 'chunks', chunks: answer('x') })
    const error = thrown(() => deriveReplayScript(logOf(rows), { replaced: new Set([0]) }))
    expect(error.message).toContain('model call 2 (turn 2, step 1)')
  })

  it('refuses a malformed chunk by event and place', () => {
    const rows = [
      ['step/start', { turn: 1, step: 1 }] as const,
      chunkRow(1, 1, { type: 'text-delta', index: 0 }),
    ]
    expect(thrown(() => deriveReplayScript(logOf(rows))).message).toBe(
      'session.jsonl: event 1 (assistant/chunk), chunk: the key "text" is missing; allowed: type, index, text',
    )
  })

  it('refuses a broken grammar by call, turn, step and event', () => {
    const rows = [...callRows(1, 1, answer('x')), ...callRows(1, 2, answer('y').slice(1))]
    const error = thrown(() => deriveReplayScript(logOf(rows)))
    expect(error.message).toContain(
      'session.jsonl: model call 1 (turn 1, step 2), which begins at event 5: chunk 0 breaks the stream grammar',
    )
  })

  it.each([
    [{ step: 1 }, 'at data.turn: found nothing; allowed: a number'],
    [{ turn: 1, step: '1' }, 'at data.step: found "1"; allowed: a number'],
  ])('refuses a chunk event without its place: %j', (place, message) => {
    const rows: Row[] = [
      ['assistant/chunk', { ...place, chunk: { type: 'finish', reason: { kind: 'stop' } } }],
    ]
    expect(thrown(() => deriveReplayScript(logOf(rows))).message).toBe(
      `session.jsonl: event 0 (assistant/chunk): ${message}`,
    )
  })

  it.each([
    [
      {},
      'session.jsonl: event 0 (compaction/summary): at data.rawOutput: found nothing; allowed: the blocks',
    ],
    [
      { rawOutput: [{ type: 'text' }] },
      'event 0 (compaction/summary), data.rawOutput[0]: the key "text" is missing',
    ],
    [
      { rawOutput: [], usage: {} },
      'event 0 (compaction/summary), data.usage: the key "inputTokens" is missing',
    ],
  ])('refuses a marked summary without a proper output: %j', (data, message) => {
    const log = logOf([summaryRow({ llmStreamCall: true, ...data })])
    expect(thrown(() => deriveReplayScript(log)).message).toContain(message)
  })

  describe('of a log whose deltas are packed', () => {
    /** The same events in an array of their own: nobody knows which of them were one row. */
    const oneByOne = (log: SessionLog): SessionLog => ({ ...log, events: [...log.events] })
    const read = (rows: readonly Row[], header: Partial<SessionHeader> = {}): SessionLog =>
      parseSessionLog(serializeSessionLog(logOf(rows, header)), 'session.jsonl')
    const delta: StreamChunk = { type: 'text-delta', index: 0, text: 'x' }
    const [start, , end, , finish] = answer('xxxx') as [
      StreamChunk,
      unknown,
      StreamChunk,
      unknown,
      StreamChunk,
    ]
    const good = [start, delta, delta, delta, delta, end, finish]

    it('is what it is event by event, also in a fork that inherits a part of a row', () => {
      const calls = fc.array(
        fc.constantFrom(good, answer('y'), [start, delta, delta, delta, end, delta, finish]),
      )
      fc.assert(
        fc.property(calls, fc.integer({ min: 0, max: 20 }), (list, seed) => {
          const rows = list.flatMap((chunks, step) => callRows(1, step, chunks))
          const log = read(rows, { seedLength: Math.min(seed, rows.length) })
          const outcome = (derived: SessionLog): unknown => {
            try {
              return deriveReplayScript(derived)
            } catch (error) {
              return error
            }
          }
          expect(outcome(log)).toEqual(outcome(oneByOne(log)))
        }),
      )
    })

    it.each([
      ['no block is open', [delta, delta, delta, finish], 'chunk 0'],
      ['the block has ended', [start, delta, end, delta, delta, delta, finish], 'chunk 3'],
      [
        'the index is no block',
        [{ ...delta, index: -1 }, { ...delta, index: -1 }, { ...delta, index: -1 }, finish],
        '-1',
      ],
    ] as const)('refuses a row where %s', (_, chunks, named) => {
      const log = read(callRows(1, 1, chunks))
      const error = thrown(() => deriveReplayScript(log))
      expect(error.message).toContain(named)
      expect(error.message).toBe(thrown(() => deriveReplayScript(oneByOne(log))).message)
    })
  })

  it('takes a log of 100,000 events', () => {
    const text: StreamChunk = { type: 'text-delta', index: 0, text: 'x' }
    const [start, , end, usage, finish] = answer('x')
    const chunks = [start, ...new Array<StreamChunk>(100_000).fill(text), end, usage, finish] as StreamChunk[]
    const [entry] = deriveReplayScript(logOf(callRows(1, 1, chunks)))
    expect(entry).toMatchObject({ kind: 'chunks', chunks: { length: 100_004 } })
  })
})
