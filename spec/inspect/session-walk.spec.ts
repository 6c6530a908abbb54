import { describe, expect, it } from 'vitest'

import { SessionWalk } from '../../src/inspect/session-walk.ts'
import { call, logOf, packed, timedLog, turnOf, usage, type Row } from './logs.ts'

const walk = (rows: readonly Row[], header = {}): SessionWalk => new SessionWalk(logOf(rows, header))

describe('SessionWalk', () => {
  it('finds turns and steps, with how they ended', () => {
    const { turns, steps, errors } = walk([
      ...turnOf(1, call(1, 1, ['a'])),
      ...turnOf(2, [], { kind: 'error', error: { message: 'no credit', code: 'QUOTA', status: 402 } }),
      ...turnOf(3, [], { kind: 'aborted', reason: { kind: 'user' } }),
      ['turn/start', { turn: 4 }],
      ['step/start', { turn: 4, step: 1 }],
      ['step/end', { turn: 4, step: 1 }],
      ['step/start', { turn: 4, step: 2 }],
    ])
    expect(turns).toEqual([
      { seq: 0, line: 2, turn: 1, steps: 1, end: { reason: 'completed' } },
      {
        seq: 9,
        line: 11,
        turn: 2,
        steps: 1,
        end: { reason: 'error', error: { message: 'no credit', code: 'QUOTA', status: 402 } },
      },
      { seq: 13, line: 15, turn: 3, steps: 1, end: { reason: 'aborted', abortedBy: 'user' } },
      { seq: 17, line: 19, turn: 4, steps: 2 },
    ])
    expect(steps.map(({ turn, step, ended }) => [turn, step, ended])).toEqual([
      [1, 1, true],
      [2, 1, true],
      [3, 1, true],
      [4, 1, true],
      [4, 2, false],
    ])
    expect(errors).toEqual([
      { kind: 'turn', seq: 12, line: 14, turn: 2, message: 'no credit', code: 'QUOTA' },
    ])
  })

  it('begins after what a fork has inherited, also within a packed row', () => {
    const rows = [...turnOf(1, [packed(1, 1, [1, 1], ['a', 'b', 'c'])]), ...turnOf(2, [])]
    const { turns, steps } = walk(rows, { seedLength: 3 })
    expect(turns).toEqual([
      { seq: 6, line: 6, turn: 1, steps: 0, end: { reason: 'completed' } },
      { seq: 7, line: 7, turn: 2, steps: 1, end: { reason: 'completed' } },
    ])
    expect(steps).toEqual([{ seq: 8, line: 8, turn: 2, step: 1, ended: true }])
  })

  it('notes attempts that were tried again', () => {
    const retry = { turn: 1, step: 1, retry: 1, failure: { message: 'slow down', code: 'RATE_LIMIT' } }
    const { errors } = walk([
      ['llm/retry', retry],
      ['llm/retry', { turn: 1, step: 1, failure: { code: 'TIMEOUT' } }],
      ['llm/retry', { turn: 1, step: 1, failure: { message: 'gone' } }],
      ['llm/retry', { turn: 1, step: 1 }],
    ])
    expect(errors.map(({ kind, message, code }) => [kind, message, code])).toEqual([
      ['retry', 'slow down', 'RATE_LIMIT'],
      ['retry', '', 'TIMEOUT'],
      ['retry', 'gone', 'UNKNOWN'],
      ['retry', 'a request was tried again', undefined],
    ])
  })

  it('puts the events of a compaction together', () => {
    const summary = { compactionId: 'a', summary: [], shadowedSeqs: [1, 2], shadowedTokenCount: 90, usage }
    const { compactions, errors } = walk([
      ['compaction/start', { compactionId: 'a', turn: 2 }],
      ['compaction/summary', summary],
      ['compaction/end', { compactionId: 'a', turn: 2 }],
      ['compaction/start', { compactionId: 'b', turn: null }],
      ['compaction/end', { compactionId: 'b', turn: null, error: 'the summary is empty' }],
      ['compaction/prune', { shadowedSeqs: [3] }],
      ['compaction/summary', { compactionId: 'c', summary: [] }],
      ['compaction/start', { turn: 3 }],
    ])
    expect(compactions).toEqual([
      {
        kind: 'summary',
        id: 'a',
        seq: 0,
        line: 2,
        turn: 2,
        ended: true,
        shadowedMessages: 2,
        shadowedTokens: 90,
        usage,
      },
      { kind: 'summary', id: 'b', seq: 3, line: 5, ended: true, error: 'the summary is empty' },
      { kind: 'prune', seq: 5, line: 7, ended: true, shadowedMessages: 1 },
      { kind: 'summary', id: 'c', seq: 6, line: 8, ended: false, shadowedMessages: 0 },
      { kind: 'summary', seq: 7, line: 9, turn: 3, ended: false },
    ])
    expect(errors).toEqual([{ kind: 'compaction', seq: 4, line: 6, message: 'the summary is empty' }])
  })

  it('tells what requests went to', () => {
    const { headers } = walk([
      ['request/header', { header: { config: { provider: 'acme', model: 'large' } }, reason: 'initial' }],
      ['request/header', { header: { config: {} } }],
    ])
    expect(headers).toEqual([
      { seq: 0, line: 2, reason: 'initial', provider: 'acme', model: 'large' },
      { seq: 1, line: 3, reason: 'unknown' },
    ])
  })

  it('takes what is not of the format as it comes', () => {
    const found = walk([
      ['turn/start', { turn: 'one' }],
      ['turn/end', {}],
      ['step/start', { turn: 1, step: 'one' }],
      ['step/end', { turn: 9, step: 9 }],
      ['turn/end', { turn: 1, reason: 'over' }],
      ['constructor', {}],
      ['__proto__', {}],
    ])
    expect(found.turns).toEqual([{ seq: 2, line: 4, turn: 1, steps: 0, end: { reason: 'unknown' } }])
    expect(found.steps).toEqual([])
  })

  it('gives the line of an event also in a log with complete rows', () => {
    const log = timedLog([
      ['session/title', {}, 0],
      ['turn/start', { turn: 1 }, 5],
    ])
    expect(new SessionWalk(log).turns).toEqual([{ seq: 1, line: 3, turn: 1, steps: 0 }])
  })
})
