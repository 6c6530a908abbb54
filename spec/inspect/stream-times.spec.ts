import { describe, expect, it } from 'vitest'

import { hasTimes, msBetween, StreamTimes } from '../../src/inspect/stream-times.ts'
import { call, chunk, logOf, packed, timedLog } from './logs.ts'

const start = chunk(1, 1, { type: 'block-start', index: 0, blockType: 'text' })

describe('StreamTimes', () => {
  it('is the time from the first chunk to the last in a log that has times', () => {
    const [type, data] = start
    const log = timedLog([
      ['turn/start', { turn: 1 }, 0],
      [type, data, 30],
      ['hook/invoked', { turn: 1 }, 35],
      [type, data, 90],
      [type, data, 100],
    ])
    expect(hasTimes(log)).toBe(true)
    const times = new StreamTimes(log)
    expect(times.of(1, 2)).toBe(60)
    expect(times.of(4, 1)).toBe(0)
    expect(times.of(4, 5)).toBe(0)
  })

  it('is the sum of the gaps within packed rows in a log that has none', () => {
    const log = logOf([
      packed(1, 1, [500, 500], ['not ', 'ask', 'ed']),
      start,
      packed(1, 1, [3, 4], ['a', 'b', 'c']),
      packed(1, 1, [-1, 6], ['d', 'e', 'f']),
      ...call(1, 2, ['no rows']),
      packed(1, 3, [8, 1], ['g', 'h', 'i']),
    ])
    expect(hasTimes(log)).toBe(false)
    const times = new StreamTimes(log)
    expect(times.of(3, 7)).toBe(12)
    expect(times.of(10, 5)).toBeUndefined()
    expect(times.of(15, 3)).toBe(9)
  })

  it('takes an event that is not there for one without a time', () => {
    const { events } = timedLog([['turn/start', { turn: 1 }, 0]])
    expect(msBetween(events, 9, 0)).toBe(1000)
    expect(msBetween(events, 0, 9)).toBe(-1000)
  })

  it('knows nothing of an empty log', () => {
    expect(hasTimes(logOf([]))).toBe(false)
    expect(new StreamTimes(logOf([])).of(0, 0)).toBeUndefined()
  })
})
