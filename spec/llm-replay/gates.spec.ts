import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { Gates } from '../../src/llm-replay/gates.ts'
import { turn } from './scripts.ts'

describe('Gates', () => {
  it.each(['before', 'after'])('lets pass who waits where the gate is opened %s the wait', async when => {
    const gates = new Gates()
    const passed: string[] = []
    if (when === 'before') gates.open('a')
    const waits = [gates.wait('a').then(() => passed.push('a')), gates.wait('a').then(() => passed.push('a'))]
    void gates.wait('b').then(() => passed.push('b'))
    await turn()
    expect(passed).toEqual(when === 'before' ? ['a', 'a'] : [])
    if (when === 'after') gates.open('a')
    await Promise.all(waits)
    await turn()
    expect(passed).toEqual(['a', 'a'])
  })

  it('stays open, however often it is opened', async () => {
    const gates = new Gates()
    gates.open('a')
    gates.open('a')
    await gates.wait('a')
    await gates.wait('a')
  })

  it('tells which signals are waited for', async () => {
    const gates = new Gates()
    gates.open('given')
    await gates.wait('given')
    expect(gates.awaited).toEqual([])
    const wait = gates.wait('go')
    void gates.wait('stay')
    expect(gates.awaited).toEqual(['go', 'stay'])
    gates.open('go')
    await wait
    expect(gates.awaited).toEqual(['stay'])
  })

  it('leaves nothing with a signal that is given no abort', async () => {
    const gates = new Gates()
    const { signal } = new AbortController()
    const wait = gates.wait('go', signal)
    expect(getEventListeners(signal, 'abort')).toHaveLength(1)
    gates.open('go')
    await wait
    await gates.wait('go', signal)
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  })

  it('no longer tells of a wait that was aborted', () => {
    const gates = new Gates()
    const [first, second] = [new AbortController(), new AbortController()]
    void gates.wait('go', first.signal)
    void gates.wait('go', second.signal)
    expect(gates.awaited).toEqual(['go'])
    first.abort()
    expect(gates.awaited).toEqual(['go'])
    second.abort()
    expect(gates.awaited).toEqual([])
  })
})
