import { describe, expect, it } from 'vitest'

import { byCreation, inEarlierOrder } from '../src/log-order.ts'
import type { SessionLog } from '../src/index.ts'

function child(id: string, createdAt: number, prompt: string): SessionLog {
  const header = { type: 'session', version: 0, id, createdAt, delegationDepth: 1 } as const
  const data = { content: [{ type: 'text', text: prompt }], source: { kind: 'user' } }
  const events = [{ type: 'user/message', seq: 0, time: 0, data, surfaceOp: 'append' }]
  return { file: '', header, headerLine: JSON.stringify(header), events }
}

const ids = (logs: readonly SessionLog[]): string[] => logs.map(({ header }) => header.id)

describe('byCreation', () => {
  it('goes by time, then by what was asked, then by id', () => {
    const logs = [child('d', 1, 'pear'), child('a', 1, 'plum'), child('b', 0, 'plum'), child('c', 1, 'pear')]
    expect(ids(logs.sort(byCreation))).toEqual(['b', 'c', 'd', 'a'])
  })
})

describe('inEarlierOrder', () => {
  const context = { cwds: [], sessionIds: [] }
  const before = (...prompts: string[]) =>
    ['primary', ...prompts].map(prompt => ({ name: '', log: child('x', 0, prompt) }))

  it('keeps the places of those that were there, whenever they were created', () => {
    const logs = [child('a', 1, 'plum'), child('b', 2, 'fig'), child('c', 3, 'pear')]
    expect(ids(inEarlierOrder(logs, before('pear', 'kiwi', 'plum'), context))).toEqual(['c', 'a', 'b'])
  })

  it('gives each place to one, the first of those that are alike', () => {
    const logs = [child('b', 2, 'pear'), child('a', 1, 'pear')]
    expect(ids(inEarlierOrder(logs, before('pear'), { ...context, rules: [] }))).toEqual(['a', 'b'])
  })
})
