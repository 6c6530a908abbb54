import { describe, expect, it } from 'vitest'

import { SnapshotError, type Difference } from '../../src/index.ts'
import { runComparison } from '../../src/comparison/run-comparison.ts'
import { thrown } from '../support/thrown.ts'

const frame: Difference = {
  surface: 'stdout',
  index: 2,
  path: 'params.text',
  expected: 'a',
  actual: 'b',
  message: 'stdout frame 3 differs',
  counts: { unit: 'frames', expected: 4, actual: 4 },
  whole: { expected: { params: { text: 'a' } }, actual: { params: { text: 'b' } } },
}
const event: Difference = {
  ...frame,
  surface: 'session.jsonl',
  counts: { unit: 'events', expected: 4, actual: 3 },
  whole: { expected: { type: 'turn/end' }, actual: undefined },
  message: 'session.jsonl event 2 is missing',
}
const fact: Difference = {
  surface: 'facts.json',
  index: -1,
  path: 'stopReason',
  expected: 'end_turn',
  actual: 'refusal',
  message: 'facts.json stopReason: expected "end_turn", found "refusal"',
}
const seen = { pinned: true, observed: true }
const left: Difference = {
  surface: 'model script',
  index: -1,
  path: '',
  expected: 'used',
  actual: 'left',
  message: 'one entry is left',
}

describe('runComparison', () => {
  it('is equal without differences, and then fails nothing and says nothing', () => {
    for (const pinned of [true, false]) {
      const comparison = runComparison('one', [], { pinned, observed: true })
      expect(comparison).toMatchObject({ equal: true, pinned })
      expect(comparison.report()).toBe('')
      comparison.assertEqual()
    }
  })

  it('gives a test runner both sides of every difference, by its place', () => {
    const error = thrown(() => {
      runComparison('one', [frame, event, fact, left], seen).assertEqual()
    })
    expect(error).toBeInstanceOf(SnapshotError)
    expect(error.code).toBe('RUN_DIFFERS')
    expect(error.expected).toEqual({
      'stdout frame 3': { params: { text: 'a' } },
      'session.jsonl event 2': { type: 'turn/end' },
      'facts.json stopReason': 'end_turn',
      'one entry is left': 'used',
    })
    expect(error.actual).toEqual({
      'stdout frame 3': { params: { text: 'b' } },
      'session.jsonl event 2': undefined,
      'facts.json stopReason': 'refusal',
      'one entry is left': 'left',
    })
    expect(error.message.split('\n').slice(0, 2)).toEqual(['one differs from its recording.', frame.message])
    expect(error.details).toEqual({ scenario: 'one', differences: [frame, event, fact, left] })
  })

  it('says at the end where request headers are not pinned, unless told something else', () => {
    const comparison = runComparison('one', [left], { pinned: false, observed: true })
    expect(comparison.report().split('\n')).toEqual([
      left.message,
      'request headers are not pinned: prompt and tools were not compared',
    ])
    expect(comparison.report({ note: 'that is all' }).split('\n')).toEqual([left.message, 'that is all'])
    expect(runComparison('one', [left], seen).report()).toBe(left.message)
  })

  it('says so where the model calls were not seen', () => {
    const comparison = runComparison('one', [left], { pinned: true, observed: false })
    expect(comparison.report()).toContain('model calls were not seen')
    expect(comparison.toJSON()).toMatchObject({ observed: false })
  })
})

describe('an error that compares nothing', () => {
  it('has no sides, for which a test runner would draw a diff', () => {
    const error = new SnapshotError('USAGE', 'wrong')
    expect('expected' in error || 'actual' in error).toBe(false)
  })
})
