import { describe, expect, it } from 'vitest'
import type { Difference } from '../../../src/transcript/index.ts'
import { compareHeaders, type ToolList } from '../../../src/transcript/index.ts'
import { headers, surface, tool } from './headers.ts'

const file = 'one/tool-schemas.expected.json'
const pretty = (value: unknown): string => JSON.stringify(value, null, 2)

function compare(expected: readonly ToolList[], ...actual: readonly ToolList[]): Difference[] {
  const found = headers(...actual.map(tools => ['', tools] as const))
  return compareHeaders(surface, { tools: { file, sequence: expected } }, found)
}

const briefly = (differences: readonly Difference[]): (readonly [number, string])[] =>
  differences.map(({ index, message }) => [index, message.slice(message.indexOf(': ') + 2)] as const)

describe('a tool', () => {
  it('that was changed is told by the first place, with a diff of its JSON', () => {
    const actual = tool('edit', 'Edits.')
    expect(compare([[tool('bash'), tool('edit')]], [tool('bash'), actual])).toEqual([
      {
        surface,
        index: 10,
        path: 'data.header.tools[1]',
        expected: pretty(tool('edit')),
        actual: pretty(actual),
        message: `${surface} event 10: tool edit differs at description: expected "Does edit.", found "Edits." (${file})`,
        textDiff: [
          '@@ -1,6 +1,6 @@',
          ' {',
          '   "name": "edit",',
          '-  "description": "Does edit.",',
          '+  "description": "Edits.",',
          '   "parameters": {',
          '     "type": "object",',
          '     "properties": {}',
        ],
      },
    ])
  })

  it('is the same with its keys in another order', () => {
    const { name, description, parameters } = tool('x')
    expect(compare([[tool('x')]], [{ parameters, description, name } as ReturnType<typeof tool>])).toEqual([])
  })

  it('may have been added or removed', () => {
    const found = compare([[tool('a'), tool('b')]], [tool('b'), tool('c')])
    expect(found).toMatchObject([
      { path: 'data.header.tools[0]', expected: pretty(tool('a')), actual: undefined },
      { path: 'data.header.tools[1]', expected: undefined, actual: pretty(tool('c')) },
    ])
    expect(briefly(found)).toMatchObject([
      [10, expect.stringMatching(/^tool a is missing: expected \{"name":"a",/)],
      [10, expect.stringMatching(/^tool c was not expected: found \{"name":"c",/)],
    ])
    expect(found[0]?.textDiff?.slice(0, 2)).toEqual(['@@ -1,8 +0,0 @@', '-{'])
  })

  it('is told once, at the first header that has the difference', () => {
    const found = compare(
      [[tool('a')], [tool('a'), tool('b')], [tool('a'), tool('b')]],
      [tool('a')],
      [tool('a', 'A'), tool('b')],
      [tool('a', 'AA'), tool('b', 'B')],
    )
    expect(briefly(found)).toEqual([
      [20, `tool a differs at description: expected "Does a.", found "A" (${file}, change 1)`],
      [30, `tool b differs at description: expected "Does b.", found "B" (${file}, change 2)`],
    ])
  })

  it('without a name goes by its position, and one that comes again by a number', () => {
    const found = compare(
      [[{ id: 1 }, 'x', tool('a'), tool('a')]],
      [{ id: 2 }, 'x', tool('a'), tool('a', 'A')],
    )
    expect(briefly(found)).toEqual([
      [10, `tool [0] differs at id: expected 1, found 2 (${file})`],
      [10, `tool a (2) differs at description: expected "Does a.", found "A" (${file})`],
    ])
  })
})

describe('the order of the tools', () => {
  it('counts', () => {
    expect(compare([[tool('a'), tool('b'), tool('c')]], [tool('a'), tool('c'), tool('b')])).toEqual([
      {
        surface,
        index: 10,
        path: 'data.header.tools',
        expected: 'a\nb\nc',
        actual: 'a\nc\nb',
        message: `${surface} event 10: the order of the tools differs: expected "b" where "c" is (${file})`,
        textDiff: ['@@ -1,3 +1,3 @@', ' a', '-b', ' c', '+b'],
      },
    ])
  })

  it('is that of the tools which both sides have', () => {
    const found = compare([[tool('a'), tool('b'), tool('c')]], [tool('d'), tool('c'), tool('b')])
    expect(briefly(found).map(([, message]) => message.replace(/(?: is missing| was not|:).*/, ''))).toEqual([
      'tool a',
      'tool d',
      'the order of the tools differs',
    ])
    expect(found[2]).toMatchObject({ expected: 'b\nc', actual: 'c\nb' })
  })
})

describe('a list of tools', () => {
  it('that the pin does not have is one difference', () => {
    const found = compare([[tool('a')]], [tool('a')], [tool('a'), tool('b')], [tool('c')])
    expect(found).toMatchObject([
      { index: 20, path: 'data.header.tools', expected: undefined, actual: pretty([tool('a'), tool('b')]) },
    ])
    expect(briefly(found)).toEqual([
      [20, `the list of tools was not expected: found "a, b" (${file} has no change 1)`],
    ])
  })
})
