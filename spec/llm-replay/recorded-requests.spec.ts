import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deriveCalls } from '../../src/llm-replay/derive.ts'
import { recordedRequests, tellsOfRequests } from '../../src/llm-replay/recorded-requests.ts'
import type { SessionHeader } from '../../src/session-log/types.ts'
import {
  checkpointRow,
  replyRow,
  seqOf,
  stepEnd,
  stepRows,
  stepStart,
  summaryRow,
  textsOf,
  userRow,
} from './conversation.ts'
import { answer, callRows, chunkRow, cut, logOf, type Row } from './logs.ts'
import { thrown } from '../support/thrown.ts'

const compactionStart: Row = ['compaction/start', { turn: null }]
const compactionEnd: Row = ['compaction/end', { turn: null }]
const failed = { type: 'finish', reason: { kind: 'error', failure: { message: 'busy', code: 'BUSY' } } }
const retry = (turn: number, step: number): Row => ['llm/retry', { turn, step, retry: 1 }]
const retryStarted = (turn: number, step: number): Row => ['llm/retry-started', { turn, step, retry: 1 }]

/** A step whose first attempt fails, up to where the second begins. */
const retriedStep = [stepStart(1, 1), userRow('a'), chunkRow(1, 1, failed), retry(1, 1), retryStarted(1, 1)]

/** What kind of request each is, whether it may be missing, and the texts of its messages. */
function look(rows: readonly Row[], header: Partial<SessionHeader> = {}): unknown[] {
  return recordedRequests(logOf(rows, header)).map(({ kind, optional, messages }) => [
    optional ? `${kind}?` : kind,
    messages === undefined ? undefined : textsOf(messages().map(({ message }) => message)),
  ])
}

const kinds = (rows: readonly Row[]): string[] => recordedRequests(logOf(rows)).map(({ kind }) => kind)
const seqs = (rows: readonly Row[]): number[] => recordedRequests(logOf(rows)).map(({ seq }) => seq)

describe('recordedRequests', () => {
  it('gives each call the messages that were there when its stream began', () => {
    const rows = [...stepRows(1, 'one?', 'one'), ...stepRows(2, 'two?', 'two')]
    expect(look(rows)).toEqual([
      ['conversation', ['one?']],
      ['conversation', ['one?', 'one', 'two?']],
    ])
    expect(recordedRequests(logOf(rows)).map(({ turn, step }) => [turn, step])).toEqual([
      [1, 1],
      [2, 1],
    ])
    expect(seqs(rows)).toEqual([2, 11])
  })

  it('has one request a step of a turn', () => {
    const result: Row = [
      'tool/result',
      { turn: 1, step: 1, message: { content: [{ text: 'done' }] } },
      'append',
    ]
    const rows = [
      stepStart(1, 1),
      userRow('do it'),
      ...callRows(1, 1, answer('calling')),
      replyRow(1, 1, 'calling'),
      result,
      stepEnd(1, 1),
      stepStart(1, 2),
      ...callRows(1, 2, answer('it is done')),
    ]
    expect(look(rows)).toEqual([
      ['conversation', ['do it']],
      ['conversation', ['do it', 'calling', 'done']],
    ])
  })

  it('has no empty answer of a model in the next request', () => {
    const rows = [stepStart(1, 1), userRow('a'), ...callRows(1, 1, answer('')), replyRow(1, 1), stepEnd(1, 1)]
    expect(look([...rows, ...stepRows(2, 'b', 'c')])).toEqual([
      ['conversation', ['a']],
      ['conversation', ['a', 'b']],
    ])
  })

  it('tells the attempts of a step apart', () => {
    const rows = [
      ...retriedStep,
      chunkRow(1, 1, failed),
      retry(1, 1),
      retryStarted(1, 1),
      ...callRows(1, 1, answer('b')),
      replyRow(1, 1, 'b'),
      stepEnd(1, 1),
    ]
    expect(look(rows)).toEqual([
      ['conversation', ['a']],
      ['conversation', ['a']],
      ['conversation', ['a']],
    ])
    expect(seqs(rows)).toEqual([2, 5, 8])
  })

  it.each([
    ['its step ends', [stepEnd(1, 1)]],
    ['the turn ends', [['turn/end', { turn: 1 }]]],
    ['another step begins', [stepStart(1, 2), ...callRows(1, 2, answer('b'))]],
    ['the model is said to have answered', [replyRow(1, 1, 'b')]],
    ['a tool is said to have answered', [['tool/result', { message: { content: [] } }, 'append']]],
    ['it is retried', [retry(1, 1), retryStarted(1, 1), ...callRows(1, 1, answer('b'))]],
    ['the log ends', []],
  ] satisfies [string, Row[]][])(
    'may have a call in a step without a chunk, with all that its user messages have added, where %s',
    (_what, rest) => {
      const rows = [stepStart(1, 1), userRow('a'), userRow('rules', 'plugin'), ...rest]
      expect(look(rows)[0]).toEqual(['conversation?', ['a', 'rules']])
      expect(recordedRequests(logOf(rows))[0]).toMatchObject({ seq: 0, turn: 1, step: 1 })
    },
  )

  it('may have a call in an attempt that was cancelled before its first chunk', () => {
    const rows = [...retriedStep, stepEnd(1, 1)]
    expect(look(rows)).toEqual([
      ['conversation', ['a']],
      ['conversation?', ['a']],
    ])
    expect(seqs(rows)).toEqual([2, 4])
  })

  it('has a stream that was cut off once, though another follows', () => {
    const rows = [
      stepStart(1, 1),
      userRow('a'),
      ...callRows(1, 1, cut),
      replyRow(1, 1, 'par'),
      stepEnd(1, 1),
      ...stepRows(2, 'b', 'c'),
    ]
    expect(look(rows)).toEqual([
      ['conversation', ['a']],
      ['conversation', ['a', 'par', 'b']],
    ])
    // In logs of which the steps are gone, too.
    expect(seqs([...callRows(1, 1, cut), ...callRows(1, 2, cut), ...callRows(2, 2, cut)])).toEqual([0, 2, 4])
  })

  it('has the messages that a compaction was about, as they were, and those that it left', () => {
    const rows = [
      ...stepRows(1, 'a', 'b'),
      ...stepRows(2, 'c', 'd'),
      compactionStart,
      summaryRow([1, 7, 10]),
      checkpointRow('a to c', 1, 10),
      compactionEnd,
      ...stepRows(3, 'e', 'f'),
    ]
    expect(look(rows)).toEqual([
      ['conversation', ['a']],
      ['conversation', ['a', 'b', 'c']],
      ['compaction', ['a', 'b', 'c']],
      ['conversation', ['a to c', 'd', 'e']],
    ])
    expect(seqs(rows)[2]).toBe(seqOf(rows, 'compaction/summary'))
  })

  it('has a compaction where it began, though its summary came later', () => {
    const rows = [compactionStart, ...stepRows(1, 'a', 'b'), summaryRow([]), compactionEnd]
    expect(kinds(rows)).toEqual(['compaction', 'conversation'])
  })

  it('may have a compaction that failed, and one that is not marked, with messages that nobody knows', () => {
    const unmarked: Row = ['compaction/summary', { rawOutput: [], shadowedSeqs: [1] }]
    const rows = [
      ...stepRows(1, 'a', 'b'),
      compactionStart,
      compactionEnd,
      compactionStart,
      unmarked,
      checkpointRow('in short', 1, 7),
      compactionEnd,
    ]
    expect(look(rows)).toEqual([
      ['conversation', ['a']],
      ['compaction?', undefined],
      ['compaction?', undefined],
    ])
  })

  it('does not take the summary of a compaction for that of an earlier one, which failed', () => {
    const rows = [
      ...stepRows(1, 'a', 'b'),
      compactionStart,
      compactionEnd,
      compactionStart,
      summaryRow([1]),
      compactionEnd,
    ]
    expect(look(rows).slice(1)).toEqual([
      ['compaction?', undefined],
      ['compaction', ['a']],
    ])
  })

  it('does not take a summary without a start for that of a compaction that failed', () => {
    const rows = [
      ...stepRows(1, 'a', 'b'),
      compactionStart,
      compactionEnd,
      ...stepRows(2, 'c', 'd'),
      summaryRow([1]),
    ]
    expect(kinds(rows)).toEqual(['conversation', 'compaction', 'conversation', 'compaction'])
  })

  it('has a compaction without a start, and each of two summaries of one', () => {
    const rows = [
      ...stepRows(1, 'a', 'b'),
      summaryRow([1]),
      compactionStart,
      summaryRow([7]),
      summaryRow([1, 7]),
    ]
    expect(look(rows).slice(1)).toEqual([
      ['compaction', ['a']],
      ['compaction', ['b']],
      ['compaction', ['a', 'b']],
    ])
    expect(
      look([...stepRows(1, 'a', 'b'), ['compaction/summary', { llmStreamCall: true, rawOutput: [] }]])[1],
    ).toEqual(['compaction', []])
  })

  it('ends a stream that was cut off at a compaction', () => {
    const rows = [userRow('a'), ...callRows(1, 1, cut), summaryRow([0]), ...callRows(1, 1, answer('b'))]
    expect(kinds(rows)).toEqual(['conversation', 'compaction', 'conversation'])
  })

  it('may have a call after a compaction within a step, which was cancelled before its first chunk', () => {
    const step = [stepStart(2, 1), userRow('c'), chunkRow(2, 1, failed)]
    const rows = [...stepRows(1, 'a', 'b'), ...step, compactionStart, summaryRow([1, 7])]
    const rest = [checkpointRow('a, b', 1, 7), compactionEnd]
    expect(look([...rows, ...rest, stepEnd(2, 1), ...stepRows(3, 'd', 'e')]).slice(1)).toEqual([
      ['conversation', ['a', 'b', 'c']],
      ['compaction', ['a', 'b']],
      ['conversation?', ['a, b', 'c']],
      ['conversation', ['a, b', 'c', 'd']],
    ])
    const silent = recordedRequests(logOf([...rows, ...rest]))[3]
    expect(silent).toMatchObject({ turn: 2, step: 1, seq: seqOf([...rows, ...rest], 'compaction/end') })
    // Where its stream began, that is the one.
    expect(look([...rows, ...rest, ...callRows(2, 1, answer('d')), stepEnd(2, 1)]).slice(3)).toEqual([
      ['conversation', ['a, b', 'c']],
    ])
    // Nor is there one more where the compaction failed.
    const gaveUp: Row = ['compaction/end', { turn: 2, error: 'too long' }]
    expect(
      look([...stepRows(1, 'a', 'b'), ...step, compactionStart, gaveUp, stepEnd(2, 1)]).slice(1),
    ).toEqual([
      ['conversation', ['a', 'b', 'c']],
      ['compaction?', undefined],
    ])
    // Nor where it has not ended.
    expect(look([...rows, stepEnd(2, 1)])).toHaveLength(3)
    // Between steps there is none.
    const between = [...stepRows(1, 'a', 'b'), compactionStart, summaryRow([1]), compactionEnd]
    expect(look(between)).toHaveLength(2)
    expect(look([stepStart(1, 1), ['turn/end', { turn: 1 }], compactionStart, compactionEnd])).toEqual([
      ['conversation?', []],
      ['compaction?', undefined],
    ])
  })

  it('has no call that a fork inherited, but its messages', () => {
    const seed = [...stepRows(1, 'a', 'b'), compactionStart, compactionEnd, stepStart(2, 1), userRow('c')]
    const rows = [...seed, ['session/end-seed', {}] satisfies Row, ...stepRows(3, 'd', 'e')]
    expect(look(rows, { seedLength: seed.length })).toEqual([['conversation', ['a', 'b', 'c', 'd']]])
    expect(look(rows)).toHaveLength(4)
  })

  it('takes a call whose turn and step are no numbers for one of them all', () => {
    const rows: Row[] = [
      ['step/start', { turn: 'one' }],
      userRow('a'),
      ['assistant/chunk', { turn: 'one', step: null, chunk: 'text' }],
      ['assistant/chunk', { chunk: null }],
      ['assistant/chunk', { chunk: {} }],
      ['assistant/chunk', { chunk: { type: 'finish' } }],
      ['assistant/chunk', {}],
    ]
    expect(look(rows)).toEqual([
      ['conversation', ['a']],
      ['conversation', ['a']],
    ])
    expect(Object.keys(recordedRequests(logOf(rows))[0] ?? {})).not.toContain('turn')
  })

  it('refuses a log that replaces what is not there', () => {
    const rows = [...stepRows(1, 'a', 'b'), checkpointRow('c', 2, 3)]
    expect(thrown(() => recordedRequests(logOf(rows)))).toMatchObject({ code: 'SESSION_LOG_INVALID' })
  })

  it('does not change what it said of a request when the log goes on', () => {
    const rows = [...stepRows(1, 'a', 'b'), checkpointRow('in short', 1, 7), ...stepRows(2, 'c', 'd')]
    const before = recordedRequests(logOf(rows.slice(0, 8)))
    const after = recordedRequests(logOf(rows))
    expect(after[0]?.messages?.()).toEqual(before[0]?.messages?.())
  })

  it('has the place of every call that a script is derived from', () => {
    const call = fc.constantFrom('answered', 'failed', 'silent', 'compacted', 'retried', 'unmarked')
    fc.assert(
      fc.property(fc.array(call, { maxLength: 12 }), calls => {
        const rows = calls.flatMap((what, index): Row[] => {
          const turn = index + 1
          const begun = [stepStart(turn, 1), userRow(`${turn}`)]
          if (what === 'answered') return stepRows(turn, `${turn}`, 'b')
          if (what === 'failed') return [...begun, chunkRow(turn, 1, failed), stepEnd(turn, 1)]
          if (what === 'silent') return [...begun, stepEnd(turn, 1)]
          if (what === 'compacted') return [compactionStart, summaryRow([]), compactionEnd]
          if (what === 'unmarked') return [compactionStart, ['compaction/summary', {}], compactionEnd]
          return [
            ...begun,
            chunkRow(turn, 1, failed),
            retry(turn, 1),
            retryStarted(turn, 1),
            ...callRows(turn, 1, answer('b')),
          ]
        })
        const log = logOf(rows)
        const certain = recordedRequests(log).filter(({ optional }) => !optional)
        expect(certain.map(({ seq }) => seq)).toEqual(deriveCalls(log).map(({ seq }) => seq))
      }),
    )
  })
})

describe('tellsOfRequests', () => {
  it('says whether there is any', () => {
    const other: Row[] = [['turn/start', {}], userRow('a'), stepEnd(1, 1), compactionEnd, retry(1, 1)]
    const summaries: Row[] = [true, false].map(llmStreamCall => ['compaction/summary', { llmStreamCall }])
    const telling: Row[] = [
      stepStart(1, 1),
      chunkRow(1, 1, failed),
      compactionStart,
      retryStarted(1, 1),
      ...summaries,
    ]
    const rows = fc.array(
      fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...other) }, fc.constantFrom(...telling)),
      {
        maxLength: 6,
      },
    )
    fc.assert(
      fc.property(rows, fc.nat(3), (list, seed) => {
        const log = logOf(list, { seedLength: Math.min(seed, list.length) })
        expect(tellsOfRequests(log)).toBe(recordedRequests(log).length > 0)
      }),
      { numRuns: 500 },
    )
  })
})
