import { describe, expect, it } from 'vitest'
import type { Difference } from '../../src/transcript/difference.ts'
import { sequenceDifference } from '../../src/transcript/sequence-difference.ts'

interface Member {
  readonly type: string
  readonly seq: number
}

const types = Array.from('abcdefgh')

/** Events of these types, numbered anew, as a log has them. */
function numbered(list: readonly string[]): Member[] {
  return list.map((type, seq) => ({ type, seq }))
}

function eventsDiffer(actual: readonly string[]): Difference {
  const difference = sequenceDifference(
    { surface: 'session.jsonl', unit: 'events', base: 0 },
    numbered(types),
    numbered(actual),
  )
  if (difference === undefined) throw new Error('the two are equal')
  return difference
}

/** What the report shows of an event. */
function shown(type: string, seq: number): string {
  return `${seq} {"type":"${type}","seq":${seq}}`
}

const before = [shown('a', 0), shown('b', 1), shown('c', 2)]
const d = { type: 'd', seq: 3 }

describe('an event that was left out', () => {
  it('is missing, and what follows goes on alike', () => {
    const goesOn = [shown('e', 3), shown('f', 4), shown('g', 5)]
    expect(eventsDiffer(types.toSpliced(3, 1))).toEqual({
      surface: 'session.jsonl',
      index: 3,
      path: '',
      expected: d,
      actual: undefined,
      message: 'session.jsonl event 3 is missing: expected {"type":"d","seq":3}',
      changes: [{ path: '', expected: d, actual: undefined }],
      counts: { unit: 'events', expected: 8, actual: 7 },
      context: { before, expected: shown('d', 3), afterExpected: goesOn, afterActual: goesOn },
      whole: { expected: d, actual: undefined },
    })
  })

  it('may be the first of several', () => {
    expect(eventsDiffer(types.toSpliced(3, 2)).message).toBe(
      'session.jsonl event 3 is missing: expected {"type":"d","seq":3}, and so is the one after it',
    )
    const difference = eventsDiffer(types.toSpliced(3, 3))
    const goesOn = [shown('g', 3), shown('h', 4)]
    expect(difference).toMatchObject({
      index: 3,
      message:
        'session.jsonl event 3 is missing: expected {"type":"d","seq":3}, and so are the 2 events after it',
      counts: { expected: 8, actual: 5 },
      context: { before, expected: shown('d', 3), afterExpected: goesOn, afterActual: goesOn },
      whole: { expected: d, actual: undefined },
    })
    expect(difference.context).not.toHaveProperty('actual')
  })

  it('may be the last', () => {
    expect(eventsDiffer(types.slice(0, 6))).toMatchObject({
      index: 6,
      path: '',
      message: 'session.jsonl event 6 is missing: expected {"type":"g","seq":6}',
      context: { expected: shown('g', 6), afterExpected: [shown('h', 7)], afterActual: [] },
      whole: { expected: { type: 'g', seq: 6 }, actual: undefined },
    })
  })
})

describe('an event that was put in', () => {
  it('was not expected, and what follows goes on alike', () => {
    const goesOn = [shown('d', 4), shown('e', 5), shown('f', 6)]
    const x = { type: 'x', seq: 3 }
    expect(eventsDiffer(types.toSpliced(3, 0, 'x'))).toEqual({
      surface: 'session.jsonl',
      index: 3,
      path: '',
      expected: undefined,
      actual: x,
      message: 'session.jsonl event 3 was not expected: found {"type":"x","seq":3}',
      changes: [{ path: '', expected: undefined, actual: x }],
      counts: { unit: 'events', expected: 8, actual: 9 },
      context: { before, actual: shown('x', 3), afterExpected: goesOn, afterActual: goesOn },
      whole: { expected: undefined, actual: x },
    })
  })

  it('may be the first of several', () => {
    expect(eventsDiffer(types.toSpliced(3, 0, 'x', 'y')).message).toBe(
      'session.jsonl event 3 was not expected: found {"type":"x","seq":3}, and so was the one after it',
    )
    const goesOn = [shown('d', 6), shown('e', 7), shown('f', 8)]
    expect(eventsDiffer(types.toSpliced(3, 0, 'x', 'y', 'z'))).toMatchObject({
      message:
        'session.jsonl event 3 was not expected: found {"type":"x","seq":3}, and so were the 2 events after it',
      context: { actual: shown('x', 3), afterExpected: goesOn, afterActual: goesOn },
    })
  })

  it('may be the last', () => {
    expect(eventsDiffer([...types, 'x', 'y'])).toMatchObject({
      index: 8,
      expected: undefined,
      message: 'session.jsonl event 8 was not expected: found {"type":"x","seq":8}',
      context: { actual: shown('x', 8), afterExpected: [], afterActual: [shown('y', 9)] },
      whole: { expected: undefined, actual: { type: 'x', seq: 8 } },
    })
  })
})

it('says of two events that they have changed places', () => {
  const e = { type: 'e', seq: 3 }
  expect(eventsDiffer(['a', 'b', 'c', 'e', 'd', 'f', 'g', 'h'])).toEqual({
    surface: 'session.jsonl',
    index: 3,
    path: '',
    expected: d,
    actual: e,
    message:
      'session.jsonl event 3 and the next have changed places: expected {"type":"d","seq":3} first, found {"type":"e","seq":3}',
    changes: [{ path: '', expected: d, actual: e }],
    counts: { unit: 'events', expected: 8, actual: 8 },
    context: {
      before,
      expected: shown('d', 3),
      actual: shown('e', 3),
      afterExpected: [shown('e', 4), shown('f', 5), shown('g', 6)],
      afterActual: [shown('d', 4), shown('f', 5), shown('g', 6)],
    },
    whole: { expected: d, actual: e },
  })
})

it('says of an event of another type only that', () => {
  const x = { type: 'x', seq: 3 }
  expect(eventsDiffer(types.with(3, 'x'))).toEqual({
    surface: 'session.jsonl',
    index: 3,
    path: 'type',
    expected: 'd',
    actual: 'x',
    message: 'session.jsonl event 3 differs at type: expected "d", found "x"',
    changes: [{ path: 'type', expected: 'd', actual: 'x' }],
    counts: { unit: 'events', expected: 8, actual: 8 },
    context: {
      before,
      expected: shown('d', 3),
      actual: shown('x', 3),
      afterExpected: [shown('e', 4), shown('f', 5), shown('g', 6)],
      afterActual: [shown('e', 4), shown('f', 5), shown('g', 6)],
    },
    whole: { expected: d, actual: x },
  })
})

it('finds nothing between equals', () => {
  const names = { surface: 'stdout', unit: 'frames', base: 1 } as const
  expect(sequenceDifference(names, [{ a: 1, b: 2 }], [{ b: 2, a: 1 }])).toBeUndefined()
  expect(sequenceDifference(names, [], [])).toBeUndefined()
})

it('numbers frames from 1, whatever their ids', () => {
  const frames = (...texts: string[]) => texts.map((text, at) => ({ id: at + 1, text }))
  const names = { surface: 'stdout', unit: 'frames', base: 1 } as const
  expect(sequenceDifference(names, frames('a', 'b', 'c'), frames('a', 'c'))).toMatchObject({
    index: 1,
    message: 'stdout frame 2 is missing: expected {"id":2,"text":"b"}',
    context: { before: ['1 {"id":1,"text":"a"}'], afterActual: ['2 {"id":2,"text":"c"}'] },
  })
})
