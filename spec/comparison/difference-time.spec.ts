import { describe, expect, it } from 'vitest'

import { byTime, timed } from '../../src/comparison/difference-time.ts'
import type { Difference, ScenarioRun } from '../../src/index.ts'
import { sessionLog } from '../transcript/logs.ts'

const log = sessionLog([['turn/start'], ['turn/end']], { createdAt: 50 })
const events = log.events.map(event => ({ ...event, time: 100 + event.seq }))
const run = {
  transcript: {
    frameTimes: [7, 8],
    sessions: [{ name: 'session.1.jsonl', raw: { ...log, events } }],
  },
} as unknown as ScenarioRun

const difference = (surface: string, index: number): Difference => ({
  surface,
  index,
  path: '',
  expected: 1,
  actual: 2,
  message: '',
})

describe('timed', () => {
  it.each([
    ['stdout', 1, 8],
    ['stdout', 5, 8],
    ['ids of stdout', 0, 7],
    ['session.1.jsonl', 0, 100],
    ['session.1.jsonl', 9, 101],
    ['session.1.jsonl', -1, 50],
    ['request headers of session.1.jsonl', 1, 101],
    ['session.jsonl', 0, undefined],
    ['facts.json', -1, undefined],
  ])('of %s at %i', (surface, index, time) => {
    expect(timed(difference(surface, index), run).time).toBe(time)
  })
})

describe('byTime', () => {
  it('puts what has no time last, and leaves equals as they are', () => {
    const at = (surface: string, time?: number): Difference => ({
      ...difference(surface, 0),
      ...(time === undefined ? {} : { time }),
    })
    const given = [at('a'), at('b', 2), at('c'), at('d', 1), at('e', 2)]
    expect(given.sort(byTime).map(({ surface }) => surface)).toEqual(['d', 'b', 'e', 'a', 'c'])
  })
})
