import { describe, expect, it } from 'vitest'
import { shorten, showPair, showValue } from '../../src/transcript/shorten.ts'

describe('shorten', () => {
  it('keeps what fits and says how long the rest is', () => {
    expect(shorten('abc', 3)).toBe('abc')
    expect(shorten('abcd', 3)).toBe('abc… (4 characters)')
  })
})

describe('showValue', () => {
  it('is compact JSON, or a word for what is absent', () => {
    expect(showValue({ a: [1] }, 20)).toBe('{"a":[1]}')
    expect(showValue(undefined, 20)).toBe('nothing')
  })
})

describe('showPair', () => {
  it('cuts two strings to one window around their first difference', () => {
    const [expected, actual] = showPair(`${'x'.repeat(500)}A${'y'.repeat(500)}`, `${'x'.repeat(500)}B`, 12)
    expect(expected).toBe('"…xxxxAyyyyyyy…"')
    expect(actual).toBe('"…xxxxB"')
  })

  it('shows short strings as they are, also where one begins with the other', () => {
    expect(showPair('ab', 'ab\n', 12)).toEqual(['"ab"', '"ab\\n"'])
  })

  it('shortens other values from their beginning', () => {
    expect(showPair(['long enough'], 7, 5)).toEqual(['["lon… (15 characters)', '7'])
    expect(showPair('text', undefined, 12)).toEqual(['"text"', 'nothing'])
  })
})
