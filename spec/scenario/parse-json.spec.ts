import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../../src/scenario/parse-json.ts'
import { thrown } from '../support/thrown.ts'

describe('parseJson', () => {
  it('gives the value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), value => {
        const text = JSON.stringify(value)
        fc.pre(!text.includes('"__proto__"'))
        expect(parseJson(text, 'a.json')).toEqual(JSON.parse(text))
      }),
    )
  })

  it('names file, line and column of a flaw', () => {
    const error = thrown(() => parseJson('{\n  "steps": [],\n}', 'demo/input.json'))
    expect(error.code).toBe('SCENARIO_INVALID')
    expect(error.message).toBe(
      'demo/input.json:3:1: not valid JSON: expected a key in double quotes, found "}". ' +
        'Correct it there; JSON has no comments and no comma after a last item.',
    )
    expect(error.details).toEqual({ file: 'demo/input.json', line: 3, column: 1 })
  })

  it('refuses a key given twice, which JSON.parse would drop', () => {
    const error = thrown(() => parseJson('{"a":1,\n"a":2}', 'suite.json'))
    expect(error.message).toContain('suite.json:2:1: not valid JSON: an object has the key "a" twice')
  })
})
