import { describe, expect, it } from 'vitest'
import {
  describe as inWords,
  formatPath,
  placeOf,
  replayInvalid,
  under,
} from '../../src/llm-replay/problem.ts'

describe('formatPath', () => {
  it('writes keys with dots, indices and odd keys in brackets', () => {
    expect(formatPath(['chunks', 2, 'block', 'text'])).toBe('chunks[2].block.text')
    expect(formatPath([0, 'kind'])).toBe('[0].kind')
    expect(formatPath(['a b', 'x'])).toBe('["a b"].x')
    expect(formatPath([])).toBe('')
  })
})

describe('describe', () => {
  it('keeps a value short', () => {
    expect(inWords('a "b"')).toBe('"a \\"b\\""')
    expect(inWords('x'.repeat(61))).toBe(`"${'x'.repeat(59)}…"`)
    expect(inWords([1, 2])).toBe('an array of 2')
    expect(inWords({ a: 1 })).toBe('an object')
    expect([1.5, true, null, undefined].map(inWords)).toEqual(['1.5', 'true', 'null', 'nothing'])
    expect(inWords(() => 1)).toBe('a function')
  })
})

describe('replayInvalid', () => {
  it('says place and path of each problem', () => {
    const inner = { path: ['text'], message: 'found 1; allowed: a string' }
    const error = replayInvalid(() => 'f.json', under('chunks', under(0, inner)), {
      path: [],
      message: 'too long',
    })
    expect(error.code).toBe('REPLAY_INVALID')
    expect(error.message).toBe('f.json: at chunks[0].text: found 1; allowed: a string\nf.json: too long')
    expect(error.details).toEqual({
      where: 'f.json',
      problems: [
        { path: ['chunks', 0, 'text'], message: 'found 1; allowed: a string' },
        { path: [], message: 'too long' },
      ],
    })
    expect(placeOf('here')).toBe('here')
  })
})
