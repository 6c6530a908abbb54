import { describe, expect, it } from 'vitest'

import { AuthoredCalls } from '../../src/llm-replay/authored-calls.ts'
import type { ReplayEntry } from '../../src/llm-replay/entry.ts'
import type { SessionLineage } from '../../src/llm-replay/lineage.ts'

const entry = (message: string): ReplayEntry => ({ kind: 'throw', chunks: [], message, code: 'X' })

/** A session that a client has opened, one that it has started, and another one that a client has opened. */
const lineageOf = (id: string): SessionLineage => (id === 'child' ? { parent: 'primary' } : {})

const request = (sessionId?: string, purpose?: string) => ({
  provider: 'p',
  model: 'm',
  messages: [],
  ...(sessionId === undefined ? {} : { sessionId }),
  ...(purpose === undefined ? {} : { purpose }),
})

const texts = ({ script }: AuthoredCalls): string[] =>
  script.entries.map(given => (given.kind === 'throw' ? given.message : given.kind))

describe('AuthoredCalls', () => {
  it('has the calls of a whole script, from the first on', () => {
    const calls = new AuthoredCalls(lineageOf, [entry('a'), entry('b')])
    expect(texts(calls)).toEqual(['a', 'b'])
    expect([1, 2, 3].map(() => calls.has(request('primary')))).toEqual([true, true, false])
  })

  it('has those that patches are for, in their order', () => {
    const patches = [
      { at: 3, entry: entry('late') },
      { at: 1, entry: entry('early') },
    ]
    const calls = new AuthoredCalls(lineageOf, { patches })
    expect(texts(calls)).toEqual(['early', 'late'])
    expect(calls.script.authoredAt).toEqual(new Set([0, 1]))
    expect([0, 1, 2, 3, 4].map(() => calls.has(request('primary')))).toEqual([
      false,
      true,
      false,
      true,
      false,
    ])
  })

  it('counts the conversation of the first session that a client has opened, compactions among it', () => {
    const calls = new AuthoredCalls(lineageOf, { patches: [{ at: 1, entry: entry('a') }] })
    expect(calls.has(request('child'))).toBe(false)
    expect(calls.has(request())).toBe(false)
    expect(calls.has(request('primary', 'session-title'))).toBe(false)
    expect(calls.has(request('primary'))).toBe(false)
    expect(calls.has(request('second'))).toBe(false)
    expect(calls.has(request('child'))).toBe(false)
    expect(calls.has(request('primary', 'compaction'))).toBe(true)
  })

  it('has none where there is no override', () => {
    const calls = new AuthoredCalls(lineageOf)
    expect(calls.script.entries).toEqual([])
    expect(calls.has(request('primary'))).toBe(false)
  })
})
