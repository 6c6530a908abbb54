import { describe, expect, it } from 'vitest'
import { compareStdout } from '../../src/transcript/compare-stdout.ts'
import type { Difference } from '../../src/transcript/difference.ts'
import { formatReport } from '../../src/transcript/format-report.ts'

function frames(count: number, change: (index: number) => unknown = () => 0): string {
  return Array.from({ length: count }, (_, n) => `${JSON.stringify({ n, v: change(n) })}\n`).join('')
}

function differenceOf(expected: string, actual: string): Difference {
  const difference = compareStdout(expected, actual)
  if (difference === undefined) throw new Error('the two are equal')
  return difference
}

const plain: Difference = {
  surface: 'facts',
  index: -1,
  path: '',
  expected: 1,
  actual: 2,
  message: 'one fact is wrong',
}

describe('one difference', () => {
  it('shows its message, neighbours, changes and counts', () => {
    const actual = frames(9, n => (n === 4 || n === 6 ? 1 : 0))
    expect(formatReport([differenceOf(frames(9), actual)])).toBe(
      [
        'stdout frame 5 differs at v: expected 0, found 1',
        '    2 {"n":1,"v":0}',
        '    3 {"n":2,"v":0}',
        '    4 {"n":3,"v":0}',
        '  - 5 {"n":4,"v":0}',
        '  + 5 {"n":4,"v":1}',
        '    6 {"n":5,"v":0}',
        '  - 7 {"n":6,"v":0}',
        '  + 7 {"n":6,"v":1}',
        '    8 {"n":7,"v":0}',
        '  at v',
        '  - 0',
        '  + 1',
        '  frames: 9 expected, 9 found',
      ].join('\n'),
    )
  })

  it('shows what only one side has', () => {
    expect(formatReport([differenceOf(frames(2), frames(1))])).toBe(
      [
        'stdout frame 2 is missing: expected {"n":1,"v":0}',
        '    1 {"n":0,"v":0}',
        '  - 2 {"n":1,"v":0}',
        '  frames: 2 expected, 1 found',
      ].join('\n'),
    )
    expect(formatReport([differenceOf('', frames(2))])).toContain(
      '\n  + 1 {"n":0,"v":0}\n  + 2 {"n":1,"v":0}\n',
    )
  })

  it('marks frames that look alike as far as they are shown, and cuts strings where they differ', () => {
    const long = (end: string) => frames(1, () => 'x'.repeat(1_000_000) + end)
    const report = formatReport([differenceOf(long('a'), long('b'))])
    expect(report).toMatch(/^ {2}! 1 \{"n":0,"v":"x+… \(1000015 characters\)$/m)
    expect(report).toMatch(/^ {2}at v\n {2}- "…x+a"\n {2}\+ "…x+b"$/m)
    expect(Math.max(...report.split('\n').map(line => line.length))).toBeLessThan(240)
  })

  it('may have a message and nothing else', () => {
    expect(formatReport([plain])).toBe('one fact is wrong')
  })
})

describe('a difference within a text', () => {
  const textDiff = ['@@ -1,2 +1,2 @@', ' kept', '-old', '+new']

  it('shows its diff below the message, by itself', () => {
    expect(formatReport([{ ...plain, textDiff }])).toBe(
      ['one fact is wrong', '  @@ -1,2 +1,2 @@', '   kept', '  -old', '  +new'].join('\n'),
    )
  })

  it('has the colours of what was expected and of what was found', () => {
    expect(
      formatReport([{ ...plain, textDiff }], { color: true })
        .split('\n')
        .slice(1),
    ).toEqual([
      '\u001B[2m  @@ -1,2 +1,2 @@\u001B[0m',
      '\u001B[2m   kept\u001B[0m',
      '\u001B[31m  -old\u001B[0m',
      '\u001B[32m  +new\u001B[0m',
    ])
  })
})

describe('a note', () => {
  it('comes last, where there is a difference', () => {
    expect(formatReport([plain], { note: 'more in out/' })).toBe('one fact is wrong\nmore in out/')
    expect(formatReport([plain], { note: 'more', color: true })).toContain('\n\u001B[2mmore\u001B[0m')
    expect(formatReport([], { note: 'more in out/' })).toBe('')
  })

  it.each([1, 2, 3, 5, 59])('has its line of %d, but for the only one', maxLines => {
    const many = Array.from({ length: 100 }, () => plain)
    const lines = formatReport(many, { maxLines, note: 'more in out/' }).split('\n')
    expect(lines).toHaveLength(maxLines)
    expect(lines[0]).toBe(plain.message)
    if (maxLines > 1) expect(lines.at(-1)).toBe('more in out/')
    if (maxLines > 2) expect(lines.at(-2)).toBe(`and ${102 - maxLines} more differences`)
  })
})

describe('several differences', () => {
  it('are none, or follow each other', () => {
    expect(formatReport([])).toBe('')
    expect(formatReport([plain, { ...plain, message: 'two' }])).toBe('one fact is wrong\ntwo')
  })

  const wide = differenceOf(
    frames(9),
    frames(9, () => [1, 2, 3]),
  )

  it('shrink to their messages where room is short', () => {
    const length = formatReport([wide]).split('\n').length
    const report = formatReport([wide, wide, plain], { maxLines: length + 2 }).split('\n')
    expect(report).toHaveLength(length + 2)
    expect(report.slice(-2)).toEqual([wide.message, 'one fact is wrong'])
    expect(formatReport([wide, wide, plain]).split('\n')).toHaveLength(2 * length + 1)
  })

  it.each([1, 2, 3, 10, 40, 59])('never take more than %d lines', maxLines => {
    const many = Array.from({ length: 200 }, () => wide)
    for (const differences of [many, [plain, ...many], [wide], [wide, plain]]) {
      expect(formatReport(differences, { maxLines }).split('\n').length).toBeLessThanOrEqual(maxLines)
    }
  })

  it('are under sixty lines unless told, and say how many are left out', () => {
    const lines = formatReport(Array.from({ length: 200 }, () => wide)).split('\n')
    expect(lines.length).toBeLessThan(60)
    const shown = lines.filter(line => line === wide.message).length
    expect(lines.at(-1)).toBe(`and ${200 - shown} more differences`)
  })
})

it('paints lines when asked to', () => {
  const report = formatReport(
    [
      differenceOf(
        frames(1),
        frames(1, () => 1),
      ),
    ],
    { color: true },
  )
  expect(report).toContain('\u001B[31m  - 0\u001B[0m\n\u001B[32m  + 1\u001B[0m')
  expect(report.startsWith('\u001B[1mstdout frame 1')).toBe(true)
})
