import { describe, expect, it } from 'vitest'
import type { SessionLog } from '../../src/session-log/types.ts'
import { compareLogs } from '../../src/transcript/compare-logs.ts'
import { fixtureContext } from '../../src/transcript/fixture-context.ts'
import { normalizeSessionLog } from '../../src/transcript/normalize-session-log.ts'
import { sessionLog } from './logs.ts'

const turn = [
  ['turn/start', { turn: 1 }],
  ['user/message', { text: 'hello' }],
  ['turn/end', { turn: 1, reason: { kind: 'completed' } }],
] as const

function normal(...args: Parameters<typeof sessionLog>): SessionLog {
  const log = sessionLog(...args)
  return normalizeSessionLog(log, fixtureContext(log))
}

describe('events', () => {
  it('are equal where only what normalisation removes differs', () => {
    expect(
      compareLogs(normal(turn, { cwd: '{{cwd}}', createdAt: 0 }), normal(turn, { cwd: '/x/y', id: 's' })),
    ).toBe(undefined)
  })

  it('are told by their seq, counted from 0', () => {
    const actual = normal([turn[0], ['user/message', { text: 'hullo' }], turn[2]])
    expect(compareLogs(normal(turn), actual)).toMatchObject({
      surface: 'session.jsonl',
      index: 1,
      path: 'data.text',
      message: 'session.jsonl event 1 differs at data.text: expected "hello", found "hullo"',
      counts: { unit: 'events', expected: 3, actual: 3 },
    })
  })

  it('may be missing or too many', () => {
    expect(compareLogs(normal(turn), normal(turn.slice(0, 2)))?.message).toMatch(
      /^session\.jsonl event 2 is missing: expected \{"type":"turn\/end"/,
    )
    expect(compareLogs(normal(turn.slice(0, 2)), normal(turn))?.message).toMatch(
      /^session\.jsonl event 2 was not expected: found \{"type":"turn\/end"/,
    )
  })
})

describe('a log that one side lacks', () => {
  it('equals one without events', () => {
    expect(compareLogs(normal(), undefined)).toBeUndefined()
    expect(compareLogs(undefined, normal())).toBeUndefined()
    expect(compareLogs(undefined, undefined)).toBeUndefined()
  })

  it('is a difference at the first event of the other', () => {
    expect(compareLogs(normal(turn), undefined)).toMatchObject({
      index: 0,
      counts: { expected: 3, actual: 0 },
    })
    expect(compareLogs(undefined, normal(turn))).toMatchObject({
      surface: 'session.jsonl',
      index: 0,
      counts: { expected: 0, actual: 3 },
    })
  })
})

describe('headers', () => {
  it('come before the events', () => {
    const difference = compareLogs(normal(turn), normal([], { cwd: '/tmp/run', delegationDepth: 1 }))
    expect(difference).toEqual({
      surface: 'session.jsonl',
      index: -1,
      path: 'delegationDepth',
      expected: 0,
      actual: 1,
      message: 'session.jsonl header differs at delegationDepth: expected 0, found 1',
      changes: [{ path: 'delegationDepth', expected: 0, actual: 1 }],
      counts: { unit: 'events', expected: 3, actual: 0 },
    })
  })

  it('are told all their changes', () => {
    const actual = normal(turn, { origin: 'subagent', delegationDepth: 2, cwd: '/tmp/run' })
    expect(compareLogs(normal(turn), actual)?.changes?.map(({ path }) => path)).toEqual([
      'delegationDepth',
      'origin',
    ])
  })

  it.each(['{{sessionId}}', '00000000-0000-0000-0000-000000000000'])('with the id %s take any id', id => {
    const at = (own: string) => sessionLog(turn, { id: own, cwd: '{{cwd}}' })
    expect(compareLogs(at(id), at('whatever'))).toBeUndefined()
    expect(compareLogs(at('whatever'), at(id))?.path).toBe('id')
  })

  it('may leave out the cwd where there are no events', () => {
    expect(compareLogs(normal([], {}), normal([]))).toBeUndefined()
    expect(compareLogs(normal(turn, {}), normal(turn))?.path).toBe('cwd')
    expect(compareLogs(normal([]), normal([], {}))?.path).toBe('cwd')
  })
})
