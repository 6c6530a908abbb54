import { describe, expect, it } from 'vitest'
import { describeJournal, describeMessage } from '../../src/client/seen-last.ts'
import type { LiveSession } from '../../src/host/journal.ts'

const session = (id: string, types: readonly string[], parentSession?: string): LiveSession => ({
  id,
  ...(parentSession !== undefined && { parentSession }),
  events: types.map((type, seq) => ({ type, seq, data: {} })),
})

describe('describeJournal', () => {
  it('shows the latest six, folds repetitions, and says that there was more before', () => {
    const one = session('s', ['z', 'a', 'b', 'b', 'b', 'c', 'd', 'e', 'f', 'f'])
    expect(describeJournal(one, [one])).toBe('session s: … a, b ×3, c, d, e, f ×2')
    const exact = session('s', ['a', 'b', 'c', 'd', 'e', 'f'])
    expect(describeJournal(exact, [exact])).toBe('session s: a, b, c, d, e, f')
  })

  it('says which sessions there are where the one asked for is missing', () => {
    const many = Array.from({ length: 8 }, (_, n) => session(`s${n}`, ['a'], n === 0 ? undefined : 's0'))
    expect(describeJournal(undefined, [])).toBe('no session in the journal')
    expect(describeJournal(undefined, many)).toBe(
      'no such session in the journal, which has s0, s1 (a child), s2 (a child), s3 (a child), s4 (a child), ' +
        's5 (a child) and 2 more',
    )
  })
})

describe('describeMessage', () => {
  it('cuts a long text', () => {
    expect(describeMessage('x'.repeat(300))).toBe(
      `message of the agent "${'x'.repeat(120)}"… (300 characters)`,
    )
  })
})
