import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasMatch, lastMatch } from '../src/timed-match.ts'

describe('lastMatch', () => {
  it('is the last of all matches', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'b', '\n') }), text => {
        const last = [...text.matchAll(/(a)b?/g)].at(-1)
        const found = lastMatch(text, /(a)b?/g)
        expect(found === undefined ? undefined : [...(found as RegExpExecArray)]).toEqual(
          last === undefined ? undefined : [...last],
        )
      }),
      { numRuns: 50 },
    )
  })

  it.each([
    ['exponential', `${'a'.repeat(60)}b`, /(a+)+$/g],
    ['quadratic', 'a'.repeat(2 ** 20), /([a-z]+)-id/g],
  ])('gives a search up that takes too long (%s)', (_what, text, pattern) => {
    expect(lastMatch(text, pattern, 20)).toBe('too slow')
  })

  it('passes on what else goes wrong', () => {
    const broken = {
      [Symbol.matchAll]: () => {
        throw new Error('broken')
      },
    }
    expect(() => lastMatch('a', broken as never)).toThrow('broken')
  })
})

describe('hasMatch', () => {
  it('says whether there is a match', () => {
    expect(hasMatch('one two', /t.o$/)).toBe(true)
    expect(hasMatch('one two', /^two/)).toBe(false)
  })

  it('gives a search up that takes too long', () => {
    expect(hasMatch(`${'a'.repeat(60)}b`, /(a+)+$/, 20)).toBe('too slow')
  })
})
