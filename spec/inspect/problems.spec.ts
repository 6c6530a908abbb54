import { describe, expect, it } from 'vitest'

import { SnapshotError } from '../../src/errors.ts'
import { Problems, problemsOf } from '../../src/inspect/problems.ts'

const error = (message: string, details = {}): SnapshotError =>
  new SnapshotError('SCENARIO_INVALID', message, { details })

describe('problemsOf', () => {
  it.each([
    ['a/b.json: is wrong', { file: 'a/b.json', message: 'is wrong' }],
    ['a/b.json:3: is wrong', { file: 'a/b.json', line: 3, message: 'is wrong' }],
    ['a/b.json:3:7: is wrong', { file: 'a/b.json', line: 3, column: 7, message: 'is wrong' }],
    [
      'a/b.json:3 (assistant/chunk), chunk: is',
      { file: 'a/b.json', line: 3, message: '(assistant/chunk), chunk: is' },
    ],
    ['something else', { file: 'a/b.json', message: 'something else' }],
    ['a/b.jsonl: is wrong', { file: 'a/b.json', message: 'a/b.jsonl: is wrong' }],
  ])('takes the place off %j', (message, problem) => {
    expect(problemsOf(error(message), 'a/b.json')).toEqual([problem])
  })

  it('takes the file and the line from the details of an error', () => {
    expect(problemsOf(error('x.json:2: bad', { file: 'x.json' }), 'y')).toEqual([
      { file: 'x.json', line: 2, message: 'bad' },
    ])
    expect(problemsOf(error('line 2 is bad', { line: 2 }), 'y')).toEqual([
      { file: 'y', line: 2, message: 'line 2 is bad' },
    ])
  })

  it('gives one for each line that has a place, with the lines that follow', () => {
    expect(problemsOf(error('f:1: one\nand more\nf:2: two'), 'f')).toEqual([
      { file: 'f', line: 1, message: 'one\nand more' },
      { file: 'f', line: 2, message: 'two' },
    ])
  })

  it('throws what is no error of ours', () => {
    expect(() => problemsOf(new TypeError('a slip'), 'f')).toThrow('a slip')
  })
})

describe('Problems', () => {
  it('notes what an attempt throws', () => {
    const problems = new Problems()
    expect(problems.attempt('f', () => 1)).toBe(1)
    const refuse = (): number => {
      throw error('f: no')
    }
    expect(problems.attempt('f', refuse)).toBeUndefined()
    problems.add('g', 'broken')
    problems.add('g', 'broken', 4)
    expect(problems.list).toEqual([
      { file: 'f', message: 'no' },
      { file: 'g', message: 'broken' },
      { file: 'g', line: 4, message: 'broken' },
    ])
  })

  it('does not hide a defect', () => {
    const slip = (): number => {
      throw new RangeError('a slip')
    }
    expect(() => {
      new Problems().attempt('f', slip)
    }).toThrow('a slip')
  })
})
