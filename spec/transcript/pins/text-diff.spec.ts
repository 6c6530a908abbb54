import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { textDiff } from '../../../src/transcript/pins/text-diff.ts'

const numbered = (count: number, prefix = 'line'): string[] =>
  Array.from({ length: count }, (_, at) => `${prefix} ${at + 1}`)

describe('textDiff', () => {
  it('shows what differs with three lines on each side, and each hunk under its place', () => {
    const expected = numbered(20)
    const actual = expected.with(4, 'five').toSpliced(17, 1)
    expect(textDiff(expected.join('\n'), actual.join('\n'))).toEqual([
      '@@ -2,7 +2,7 @@',
      ' line 2',
      ' line 3',
      ' line 4',
      '-line 5',
      '+five',
      ' line 6',
      ' line 7',
      ' line 8',
      '@@ -15,6 +15,5 @@',
      ' line 15',
      ' line 16',
      ' line 17',
      '-line 18',
      ' line 19',
      ' line 20',
    ])
  })

  it('tells no text from an empty one', () => {
    expect(textDiff(undefined, 'a\nb')).toEqual(['@@ -0,0 +1,2 @@', '+a', '+b'])
    expect(textDiff('a', undefined)).toEqual(['@@ -1,1 +0,0 @@', '-a'])
    expect(textDiff('', 'a')).toEqual(['@@ -1,1 +1,1 @@', '-', '+a'])
    expect(textDiff('a', 'a')).toEqual([])
  })

  it('shows a LF at the end, and control characters', () => {
    expect(textDiff('a', 'a\n')).toEqual(['@@ -1,1 +1,2 @@', ' a', '+'])
    expect(textDiff('a\r\n\tb', 'a\n\tb')).toEqual(['@@ -1,2 +1,2 @@', '-a\\u000d', '+a', ' \tb'])
  })

  it('cuts long lines around their difference where one stands for the other', () => {
    const long = 'x'.repeat(1000)
    const lines = textDiff(`${long}\n${long}A${long}\nend`, `${long}\n${long}B${long}\n${long}\nend`)
    const window = (letter: string): string => `…${'x'.repeat(65)}${letter}${'x'.repeat(131)}…`
    expect(lines).toEqual([
      '@@ -1,3 +1,4 @@',
      ` ${'x'.repeat(170)}… (1000 characters)`,
      `-${window('A')}`,
      `+${window('B')}`,
      `+${'x'.repeat(170)}… (1000 characters)`,
      ' end',
    ])
  })

  it('ends after 30 lines with how many more there are', () => {
    const lines = textDiff(undefined, numbered(40).join('\n'))
    expect(lines).toHaveLength(31)
    expect(lines[29]).toBe('+line 29')
    expect(lines[30]).toBe('… and 11 more lines')
    expect(textDiff(undefined, numbered(30).join('\n'))[30]).toBe('… and 1 more line')
    expect(textDiff(undefined, numbered(29).join('\n'))).toHaveLength(30)
  })

  it('takes texts with next to nothing in common for replaced from their first difference on', () => {
    const same = ['a', 'b', 'c', 'd']
    const lines = textDiff(
      [...same, ...numbered(1000, 'was')].join('\n'),
      [...same, ...numbered(1000, 'is')].join('\n'),
    )
    expect(lines.slice(0, 6)).toEqual(['@@ -2,1003 +2,1003 @@', ' b', ' c', ' d', '-was 1', '-was 2'])
    expect(lines[30]).toBe('… and 1974 more lines')
  })

  it('has no line of more than 200 characters, and none with a line break', () => {
    const line = fc.oneof(
      fc.constantFrom('', 'a', '-', '+a', '@@', 'y'.repeat(198), 'y'.repeat(171), 'z'.repeat(400)),
      fc.string({ unit: 'binary', maxLength: 500, size: 'max' }),
    )
    const text = fc.array(line, { maxLength: 10 }).map(parts => parts.join('\n'))
    fc.assert(
      fc.property(text, text, (expected, actual) => {
        const lines = textDiff(expected, actual)
        expect(lines.length > 0).toBe(expected !== actual)
        for (const shown of lines) {
          expect(shown.length).toBeLessThanOrEqual(200)
          expect(shown).toMatch(/^(?:[ +-]|@@ |… and )/)
          expect(shown).not.toMatch(/[\n\r]/)
        }
      }),
    )
  })
})
