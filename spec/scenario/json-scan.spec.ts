import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scanJson } from '../../src/scenario/json-scan.ts'

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const mutated = fc
  .tuple(
    fc.json(),
    fc.constantFrom(undefined, 1, 2),
    fc.array(
      fc.record({
        at: fc.nat(),
        remove: fc.nat(2),
        insert: fc.constantFrom(
          '',
          ',',
          ':',
          '{',
          '}',
          '[',
          ']',
          '"',
          '\\',
          '\\u00',
          '0',
          '-',
          '.',
          'e',
          '\n',
          'true',
          '\u0001',
        ),
      }),
      { maxLength: 3 },
    ),
  )
  .map(([json, indent, edits]) => {
    let text = JSON.stringify(JSON.parse(json), null, indent)
    for (const { at, remove, insert } of edits) {
      const place = at % (text.length + 1)
      text = text.slice(0, place) + insert + text.slice(place + remove)
    }
    return text
  })

describe('scanJson', () => {
  it('accepts what JSON.parse accepts, but for what would be lost', () => {
    fc.assert(
      fc.property(mutated, text => {
        const flaw = scanJson(text)
        const lossy = flaw !== undefined && /twice|__proto__|double/.test(flaw.problem)
        if (!lossy) expect(flaw === undefined).toBe(parses(text))
      }),
      { numRuns: 2000 },
    )
  })

  it('tells of every value in document order, with its path and offset', () => {
    const seen: [string, number][] = []
    const text = '{ "a": [1, {"b": null}, []], "c": "x" }'
    expect(scanJson(text, (path, offset) => seen.push([path.join('/'), offset]))).toBeUndefined()
    expect(seen).toEqual([
      ['', 0],
      ['a', 7],
      ['a/0', 8],
      ['a/1', 11],
      ['a/1/b', 17],
      ['a/2', 24],
      ['c', 34],
    ])
  })

  it.each([
    ['', 0, 'expected a value, found the end of the file'],
    ['\ufeff{}', 0, 'expected a value, found a byte order mark'],
    ['{"a":1,}', 7, 'expected a key in double quotes, found "}"'],
    ['{a:1}', 1, 'expected a key in double quotes, found "a"'],
    ['{"a" 1}', 5, 'expected ":" after a key, found "1"'],
    ['{"a":1 "b":2}', 7, 'expected "," or "}", found "\\""'],
    ['[1,]', 3, 'expected a value, found "]"'],
    ['[1', 2, 'expected "," or "]", found the end of the file'],
    ['{} // note', 3, 'expected the end of the file, found "/"'],
    ['["a\nb"]', 3, 'expected the rest of a string (a line break in it is written \\n), found "\\n"'],
    ['["\\x"]', 2, 'expected the rest of a string (a line break in it is written \\n), found "\\\\"'],
    ['[01]', 2, 'expected "," or "]", found "1"'],
    ['😀', 0, 'expected a value, found "😀"'],
    ['{"a":{"b":1,"\\u0062":2}}', 12, 'an object has the key "b" twice'],
    ['{"__proto__":1}', 1, 'the key "__proto__" is not allowed'],
    ['[1e308, -1e400]', 8, 'the number is larger than a double can be (1.8e308)'],
  ])('names the first flaw of %j', (text, offset, problem) => {
    expect(scanJson(text)).toEqual({ offset, problem })
  })

  it('takes a key again in another object', () => {
    expect(scanJson('[{"a":{"a":1}},{"a":2}]')).toBeUndefined()
  })

  it('is bounded by the text alone, however deep or long that is', () => {
    const depth = 200_000
    expect(scanJson('['.repeat(depth) + ']'.repeat(depth))).toBeUndefined()
    expect(scanJson('['.repeat(depth))).toMatchObject({ offset: depth })
    expect(scanJson(`"${'ab\\n'.repeat(500_000)}"`)).toBeUndefined()
    expect(scanJson(`"${'a'.repeat(2_000_000)}`)).toMatchObject({ offset: 2_000_001 })
  })

  it("lets the listener's own error through", () => {
    expect(() =>
      scanJson('1', () => {
        throw new RangeError('mine')
      }),
    ).toThrow(RangeError)
  })
})
