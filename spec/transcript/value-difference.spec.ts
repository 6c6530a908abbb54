import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { equalValues, listChanges } from '../../src/transcript/value-difference.ts'

describe('equalValues', () => {
  it('does not mind the order of keys', () => {
    expect(equalValues({ a: 1, b: { c: [1], d: 2 } }, { b: { d: 2, c: [1] }, a: 1 })).toBe(true)
  })

  it.each([
    [
      [1, 2],
      [2, 1],
    ],
    [[1], [1, 2]],
    [[], {}],
    [{ 0: 'a' }, ['a']],
    [null, {}],
    [{ a: 1 }, { b: 1 }],
    [{ a: 1 }, { a: 1, b: 1 }],
    [1, '1'],
    [undefined, null],
    [{ toString: 1 }, { other: 1 }],
  ])('%j is not %j', (a, b) => {
    expect(equalValues(a, b)).toBe(false)
    expect(equalValues(b, a)).toBe(false)
  })
})

describe('listChanges', () => {
  it('names the places, in the order of what was expected', () => {
    const expected = { type: 'a', list: [{ x: 1 }, 2], 'odd key': 1, gone: true, same: {} }
    const actual = { extra: null, same: {}, 'odd key': 2, list: [{ x: '1' }, 2, 3], type: 'a' }
    expect(listChanges(expected, actual, 9)).toEqual([
      { path: 'list[0].x', expected: 1, actual: '1' },
      { path: 'list[2]', expected: undefined, actual: 3 },
      { path: '["odd key"]', expected: 1, actual: 2 },
      { path: 'gone', expected: true, actual: undefined },
      { path: 'extra', expected: undefined, actual: null },
    ])
    expect(listChanges(expected, actual, 2)).toHaveLength(2)
  })

  it.each([
    [1, 2],
    [{}, []],
    [null, {}],
    [undefined, {}],
  ])('names the whole value for %j and %j', (expected, actual) => {
    expect(listChanges(expected, actual, 9)).toEqual([{ path: '', expected, actual }])
  })

  it('finds something exactly where two values are not equal', () => {
    const value = fc.jsonValue({ maxDepth: 2 })
    fc.assert(
      fc.property(value, value, (a, b) => {
        expect(listChanges(a, b, 1).length === 0).toBe(equalValues(a, b))
        expect(listChanges(a, structuredClone(a), 1)).toEqual([])
      }),
    )
  })
})
