import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commonPart } from '../../src/transcript/common-part.ts'

describe('commonPart', () => {
  it.each([
    [['/run/1/home', '/tmp/run/1/tmp', '/run/1/x'], '/run/1/'],
    [['/a/run', '/b/run'], '/run'],
    [['/only'], '/only'],
    [['ab', 'cd'], ''],
    [['', 'x'], ''],
    [[], ''],
    [['abxcd', 'cdyab'], 'ab'],
  ])('of %j is %j', (texts, part) => expect(commonPart(texts)).toBe(part))

  it('is in all texts, and no longer part is', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 12 })
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 3 }), texts => {
        const part = commonPart(texts)
        const [first = ''] = texts
        const common = (candidate: string): boolean => texts.every(text => text.includes(candidate))
        expect(common(part)).toBe(true)
        for (let start = 0; start + part.length < first.length; start += 1) {
          expect(common(first.slice(start, start + part.length + 1))).toBe(false)
        }
      }),
    )
  })
})
