import { describe, expect, it } from 'vitest'

import { SnapshotError } from '../../src/errors.ts'
import { Problems } from '../../src/inspect/problems.ts'

const error = (message: string): SnapshotError => new SnapshotError('SCENARIO_INVALID', message)

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
