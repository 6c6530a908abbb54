import { describe, expect, it } from 'vitest'

import { fit, printable, printableJson, quoted } from '../../../src/inspect/timeline/printable.ts'

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

describe('fit', () => {
  it.each([119, 120])('leaves a line of %i characters', length => {
    expect(fit('x'.repeat(length))).toBe('x'.repeat(length))
  })

  it.each([121, 240, 241, 100_000])('cuts a line of %i characters to 120', length => {
    expect(fit('x'.repeat(length))).toBe(`${'x'.repeat(119)}…`)
  })

  it('does not halve a character', () => {
    expect(fit(`${'x'.repeat(118)}👍👍`)).toBe(`${'x'.repeat(118)}…`)
  })

  it('counts what it has escaped', () => {
    expect(fit('\u001b'.repeat(30))).toHaveLength(120)
    expect(fit('  trailing  ')).toBe('  trailing')
  })
})

describe('quoted', () => {
  it('gives a text as JSON, and of a long one the beginning', () => {
    expect(quoted('a "b"\n')).toBe(String.raw`"a \"b\"\n"`)
    expect(quoted('abcdef', 3)).toBe('"abc"…')
    expect(quoted('ab👍', 3)).toBe('"ab"…')
  })
})
