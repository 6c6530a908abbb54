import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonPosition, positionAt } from '../../src/scenario/json-position.ts'
import type { JsonPath } from '../../src/scenario/json-scan.ts'

const MARK = '@@'
const word = fc.string({ unit: fc.constantFrom('a', 'b', '0', '1', ' ', '\n', '"', '\\', '😀', 'é') })

const { tree } = fc.letrec(tie => ({
  tree: fc.oneof(
    { depthSize: 'medium' },
    word,
    fc.double(),
    fc.constantFrom(null, true, false),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(word, tie('tree'), { maxKeys: 4 }),
  ),
}))

/** Every path of a tree, and a copy of the tree with the mark at that path. */
function marked(value: unknown): { path: JsonPath; copy: unknown }[] {
  const found: { path: JsonPath; copy: unknown }[] = [{ path: [], copy: MARK }]
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      for (const { path, copy } of marked(item))
        found.push({ path: [index, ...path], copy: value.with(index, copy) })
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      for (const { path, copy } of marked(item))
        found.push({ path: [key, ...path], copy: { ...value, [key]: copy } })
    }
  }
  return found
}

describe('jsonPosition', () => {
  it('finds a mark where it was put', () => {
    fc.assert(
      fc.property(
        tree,
        fc.nat(),
        fc.constantFrom(undefined, 2, '\t'),
        fc.constantFrom('\n', '\r\n', '\r'),
        (value, pick, indent, lineBreak) => {
          const places = marked(value)
          const { path, copy } = places[pick % places.length] ?? { path: [], copy: MARK }
          const text = JSON.stringify(copy, null, indent).replaceAll('\n', lineBreak)
          const before = text.slice(0, text.indexOf(`"${MARK}"`)).split(lineBreak)
          expect(jsonPosition(text, path)).toEqual({
            line: before.length,
            column: (before.at(-1)?.length ?? 0) + 1,
          })
        },
      ),
      { numRuns: 1000 },
    )
  })

  it.each([
    [['steps', 1, 'text'], { line: 3, column: 3 }],
    [['steps', 7], { line: 1, column: 12 }],
    [['nothing', 'here'], { line: 1, column: 1 }],
    [['steps', '0'], { line: 1, column: 12 }],
  ])('takes the deepest value on the way to %j, which is not there', (path, position) => {
    expect(jsonPosition('{ "steps": [\n  {},\n  {}\n] }', path)).toEqual(position)
  })

  it('takes the deepest value before a flaw', () => {
    expect(jsonPosition('[\n1,\n2 3]', [1])).toEqual({ line: 3, column: 1 })
    expect(jsonPosition('[\n1 2]', [1])).toEqual({ line: 1, column: 1 })
  })
})

describe('positionAt', () => {
  it('counts lines and columns from 1', () => {
    const text = 'ab\r\nc\n\rd'
    expect(Array.from({ length: text.length }, (_, offset) => positionAt(text, offset))).toEqual([
      { line: 1, column: 1 },
      { line: 1, column: 2 },
      { line: 1, column: 3 },
      { line: 1, column: 4 },
      { line: 2, column: 1 },
      { line: 2, column: 2 },
      { line: 3, column: 1 },
      { line: 4, column: 1 },
    ])
  })
})
