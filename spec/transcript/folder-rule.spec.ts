import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { folderRule } from '../../src/transcript/folder-rule.ts'
import { folderPattern, rightBoundary } from '../../src/transcript/path-pattern.ts'

const pieces = [
  ...['/r', '/tmp/run', '/tmp/run/sub', '/private', '/private/r', 'C:\\run', 'C:/run', '{{cwd}}', '{{', '}}'],
  ...['/', '\\', ' ', '.', ':', '"', 'x', 'file://', '-'],
]
const text = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map(parts => parts.join(''))

describe('folderRule', () => {
  it.each([
    [['/r']],
    [['/tmp/run/sub', '/tmp/run', '/r']],
    [['/private/r', '/r', '{{cwd}}']],
    [['/private/private/r', '/private/r']],
    [['/tmp/run', 'C:\\run', '/r']],
    [[]],
  ])('replaces what the pattern of %j matches from the left', folders => {
    const rule = folderRule(
      folders,
      rightBoundary,
      ([match], whole, end) => `<${match}|${whole.slice(end, end + 1)}>`,
    )
    const source = folders.length === 0 ? '(?!)' : folders.map(folderPattern).join('|')
    const pattern = new RegExp(`(?:${source})${rightBoundary}`, 'g')
    fc.assert(
      fc.property(text, input => {
        const expected = input.replace(pattern, (match: string, at: number) => {
          const end = at + match.length
          return `<${match}|${input.slice(end, end + 1)}>`
        })
        expect(rule(input)).toBe(expected)
      }),
      { numRuns: 1500 },
    )
  })

  it('takes time in proportion to the text', () => {
    const rule = folderRule(['/private/r', '/r', '{{cwd}}'], rightBoundary, () => 'R')
    expect(rule('/r '.repeat(200_000))).toBe('R '.repeat(200_000))
    expect(rule(`${'/private'.repeat(20_000)}/x`)).toMatch(/^\/private/)
  })
})
