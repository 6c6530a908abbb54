import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { depthProblem, mapStrings, stringLeaves } from '../../src/llm-replay/strings.ts'

describe('mapStrings', () => {
  it('is the identity, to the very object, where no string changes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        expect(mapStrings(value, text => text)).toBe(value)
      }),
    )
  })

  it('changes every leaf and leaves all else, the input too', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        const before = JSON.stringify(value)
        const mapped = mapStrings(value, text => `${text}!`)
        expect(stringLeaves(mapped)).toEqual(stringLeaves(value).map(text => `${text}!`))
        expect(mapStrings(mapped, text => text.slice(0, -1))).toEqual(value)
        expect(JSON.stringify(value)).toBe(before)
      }),
    )
  })

  it('gives the place of each string', () => {
    const seen: string[] = []
    mapStrings({ a: ['x', { b: 'y' }], c: 'z' }, (text, path) => {
      seen.push(`${path.join('/')}=${text}`)
      return text
    })
    expect(seen).toEqual(['a/0=x', 'a/1/b=y', 'c=z'])
  })
})

describe('stringLeaves', () => {
  it('keeps the order of the document', () => {
    expect(stringLeaves([{ a: '1', b: ['2', 3, null, { c: '4' }] }, '5'])).toEqual(['1', '2', '4', '5'])
  })
})

describe('depthProblem', () => {
  const nested = (levels: number): unknown => {
    let value: unknown = 'x'
    for (let level = 0; level < levels; level++) value = { inner: [value, 1] }
    return value
  }

  it('refuses what is nested too deep, and nothing else', () => {
    expect(depthProblem(nested(200))).toBeUndefined()
    expect(depthProblem('x')).toBeUndefined()
    expect(depthProblem(nested(100_000))).toEqual({
      path: [],
      message: 'values are nested too deep; allowed: 500 levels',
    })
  })
})
