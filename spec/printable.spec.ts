import { describe, expect, it } from 'vitest'

import { printable, printableJson } from '../src/printable.ts'

const hostile = 'a\u001b[31mred\u009b1m\u0007\r\n\u007f\u202eabc\u2066\u2028\uD800z'
const harmless = 'a\\u001b[31mred\\u009b1m\\u0007\\u000d\\u000a\\u007f\\u202eabc\\u2066\\u2028\\ud800z'

describe('printable', () => {
  it('escapes what a terminal would obey', () => {
    expect(printable(hostile)).toBe(harmless)
  })

  it('leaves all else as it is', () => {
    const text = 'é → 日本 👩‍👩‍👧 "x" \\'
    expect(printable(text)).toBe(text)
  })
})

describe('printableJson', () => {
  it('says the same, without the characters', () => {
    const value = { [hostile]: [hostile] }
    const text = printableJson(JSON.stringify(value, null, 2))
    expect(JSON.parse(text)).toEqual(value)
    expect(text.split('\n')).toHaveLength(5)
    expect(printable(text.replaceAll('\n', ''))).toBe(text.replaceAll('\n', ''))
  })
})
