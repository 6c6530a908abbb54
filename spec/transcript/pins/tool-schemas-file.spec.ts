import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../../src/session-log/types.ts'
import { formatToolSchemas, parseToolSchemas } from '../../../src/transcript/index.ts'
import { thrown } from '../../support/thrown.ts'

const file = 'tool-schemas.expected.json'

describe('a file of tool schemas', () => {
  it('holds the first list, then that of each change', () => {
    const schemas = [[{ name: 'b', description: 'B' }, { name: 'a' }], [], [{ name: 'c' }]]
    expect(formatToolSchemas(schemas)).toBe(
      `${JSON.stringify({ initial: schemas[0], changes: [[], [{ name: 'c' }]] }, null, 2)}\n`,
    )
    expect(parseToolSchemas(formatToolSchemas(schemas), file)).toEqual(schemas)
    expect(formatToolSchemas([[]])).toBe('{\n  "initial": [],\n  "changes": []\n}\n')
  })

  it('gives back every list with its keys in order', () => {
    const written = fc
      .jsonValue()
      .map(value => JSON.parse(JSON.stringify(value)) as JsonValue)
      .filter(value => !JSON.stringify(value).includes('"__proto__":'))
    fc.assert(
      fc.property(fc.array(fc.array(written, { maxLength: 4 }), { minLength: 1, maxLength: 3 }), schemas => {
        const read = parseToolSchemas(formatToolSchemas(schemas), file)
        expect(read).toEqual(schemas)
        expect(JSON.stringify(read)).toBe(JSON.stringify(schemas))
      }),
    )
  })

  it.each([
    ['[]', '1:1: the document is a list of 0; expected an object with the keys initial, changes.'],
    [
      '{\n"initial":[]}',
      '1:1: changes is missing; expected a list with a list of tool schemas for each change.',
    ],
    ['{"initial":{},\n"changes":[]}', '1:12: initial is an object; expected a list of tool schemas.'],
    ['{"initial":[],\n"changes":[{}]}', '2:12: changes[0] is an object; expected a list of tool schemas.'],
    ['{"initial":[],"changes":[],\n"change":[]}', '2:10: the document has the unknown key "change"'],
    [
      '{"initial":[{"__proto__":1}],"changes":[]}',
      '1:14: not valid JSON: the key "__proto__" is not allowed',
    ],
    ['{"initial":[', '1:13: not valid JSON'],
  ])('is refused as %j', (text, expected) => {
    const error = thrown(() => parseToolSchemas(text, file))
    expect(error.code).toBe('SCENARIO_INVALID')
    expect(error.message).toContain(`${file}:${expected}`)
  })

  it('needs a list', () => {
    expect(thrown(() => formatToolSchemas([])).message).toMatch(
      /tool-schemas\.expected\.json holds at least one/,
    )
  })
})
