import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { alikeEvents, alikeFrames, findShift, type Shift } from '../../src/transcript/shift.ts'

/** The shift between two sequences of letters, at the first that differs. */
function shiftOf(expected: string, actual: string): Shift | undefined {
  const [was, is] = [Array.from(expected), Array.from(actual)]
  let index = 0
  while (was[index] === is[index]) index += 1
  return findShift(was, is, index, (a, b) => a === b)
}

describe('findShift', () => {
  it.each<[string, string, Shift | undefined]>([
    ['abcde', 'abde', { kind: 'missing', members: 1 }],
    ['abcde', 'abe', { kind: 'missing', members: 2 }],
    ['abcde', 'bcde', { kind: 'missing', members: 1 }],
    ['abde', 'abcde', { kind: 'extra', members: 1 }],
    ['abe', 'abxyze', { kind: 'extra', members: 3 }],
    ['abcde', 'abdce', { kind: 'swapped' }],
    ['abcd', 'abdc', { kind: 'swapped' }],
    ['abcde', 'abXde', undefined],
    ['abcde', 'abXYe', undefined],
    ['abc', 'abX', undefined],
  ])('%s and %s: %j', (expected, actual, shift) => expect(shiftOf(expected, actual)).toEqual(shift))

  it.each<[string, string, Shift | undefined]>([
    // Those that come again would go together as well, only not for long.
    ['ababab', 'acabab', undefined],
    ['abbbbb', 'acbbbb', undefined],
    ['abcccc', 'acccc', { kind: 'missing', members: 1 }],
    ['abab', 'babab', { kind: 'extra', members: 1 }],
    ['abab', 'baab', { kind: 'swapped' }],
    ['aab', 'ab', { kind: 'missing', members: 1 }],
  ])('of members that come again, %s and %s: %j', (expected, actual, shift) =>
    expect(shiftOf(expected, actual)).toEqual(shift),
  )

  it('says nothing where one side ends, or goes on alike too far away', () => {
    expect(shiftOf('abc', 'ab')).toBeUndefined()
    expect(shiftOf('ab', 'abc')).toBeUndefined()
    expect(shiftOf('a12345678b', 'ab')).toEqual({ kind: 'missing', members: 8 })
    expect(shiftOf('a123456789b', 'ab')).toBeUndefined()
  })

  it('is none where a member differs by its place alone', () => {
    const sameLetter = (a: string, b: string) => a.at(0) === b.at(0)
    expect(findShift(['a1', 'a1'], ['a2', 'a1'], 0, sameLetter)).toBeUndefined()
  })

  const letters = fc.array(fc.constantFrom<string[]>('a', 'b', 'c'), { minLength: 4, maxLength: 30 })

  it('finds one that has changed, whatever comes again', () => {
    fc.assert(
      fc.property(letters, fc.nat(), (list, seed) => {
        const at = seed % list.length
        expect(shiftOf(list.join(''), list.toSpliced(at, 1, 'X').join(''))).toBeUndefined()
      }),
    )
  })

  it('finds those that were left out or put in, whatever comes again', () => {
    fc.assert(
      fc.property(letters, fc.nat(), fc.integer({ min: 1, max: 8 }), (list, seed, members) => {
        const at = seed % list.length
        const more = list.toSpliced(at, 0, ...Array.from('XYZXYZXY').slice(0, members)).join('')
        expect(shiftOf(more, list.join(''))).toEqual({ kind: 'missing', members })
        expect(shiftOf(list.join(''), more)).toEqual({ kind: 'extra', members })
      }),
    )
  })

  it('takes time in proportion to the sequences', () => {
    const long = (first: string) => [first, ...Array.from({ length: 200_000 }, () => 'a')]
    expect(findShift(long('b'), long('c'), 0, (a, b) => a === b)).toBeUndefined()
  })
})

describe('what is alike', () => {
  it('are events whatever their place and the places that they name', () => {
    const event = { type: 'a', seq: 1, time: 0, data: { x: [1] }, sourceEventSeqs: [0], surfaceOp: 'append' }
    const moved = { ...event, seq: 2, sourceEventSeqs: [1], surfaceOp: { op: 'replace', start: 0, end: 1 } }
    expect(alikeEvents(event, moved)).toBe(true)
    expect(alikeEvents(event, { type: 'a', seq: 1, time: 0, data: { x: [1] } })).toBe(true)
    expect(alikeEvents(event, { ...moved, data: { x: [2] } })).toBe(false)
  })

  it('are frames whatever their id', () => {
    expect(alikeFrames({ id: 1, result: {} }, { id: 2, result: {} })).toBe(true)
    expect(alikeFrames({ id: 1, result: {} }, { id: 1, error: {} })).toBe(false)
  })
})
