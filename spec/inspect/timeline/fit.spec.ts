import { describe, expect, it } from 'vitest'

import { fit, quoted } from '../../../src/inspect/timeline/fit.ts'

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
