import { describe, expect, it } from 'vitest'
import { parseSessionLog } from '../../src/session-log/index.ts'
import { runsOf } from '../../src/session-log/runs.ts'
import { textDelta, textOf } from './logs.ts'

const row = (seq0: number, ...texts: readonly string[]) => ({
  type: 'text-chunks',
  seq0,
  time0: 1,
  data: { turn: 1, step: 1, index: 0, dt: texts.slice(1).map(() => 1), texts },
})
const call = (seq0: number, ...args: readonly string[]) => ({
  type: 'tool-call-chunks',
  seq0,
  time0: 1,
  data: { turn: 1, step: 1, index: 0, dt: args.slice(1).map(() => 1), id: 'a', args },
})

describe('runsOf', () => {
  it('says which events came from one packed row', () => {
    const text = textOf(
      textDelta(0, 'x'),
      row(1, 'a', 'b'),
      row(3, 'c'),
      textDelta(4, 'y'),
      call(5, '{', '}'),
    )
    const { events } = parseSessionLog(text, 'session.jsonl')
    expect(runsOf(events)).toStrictEqual([
      { start: 1, end: 3, texts: ['a', 'b'] },
      { start: 3, end: 4, texts: ['c'] },
      { start: 5, end: 7, texts: ['{', '}'] },
    ])
  })

  it('knows none of a list that was made in another way', () => {
    const { events } = parseSessionLog(textOf(row(0, 'a', 'b')), 'session.jsonl')
    expect(runsOf([...events])).toEqual([])
  })
})
