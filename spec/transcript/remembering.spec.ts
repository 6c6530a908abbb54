import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { remembering } from '../../src/transcript/remembering.ts'

describe('remembering', () => {
  it('answers as the rule does, whatever was asked before', () => {
    const rule = (text: string): string => `${text.toUpperCase()}!`
    const remembered = remembering(rule)
    const text = fc.oneof(fc.constantFrom('', 'a', 'b', 'ab', 'a'.repeat(64), 'a'.repeat(65)), fc.string())
    fc.assert(
      fc.property(text, input => {
        expect(remembered(input)).toBe(rule(input))
      }),
      { numRuns: 2000 },
    )
  })

  it('does not ask the rule again for its last text of a length', () => {
    const asked: string[] = []
    const remembered = remembering(text => {
      asked.push(text)
      return text
    })
    for (const text of ['long', 'short', 'long', 'short', 'other', 'short']) remembered(text)
    expect(asked).toEqual(['long', 'short', 'other', 'short'])
  })
})
