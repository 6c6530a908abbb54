import { zstdCompressSync } from 'node:zlib'

import { describe, expect, it } from 'vitest'

import { transcribe, type Harvest } from '../src/harvest.ts'
import { thrown } from './support/thrown.ts'

function log(id: string, createdAt: number, parentSession?: string): Buffer {
  const header = {
    type: 'session',
    version: 0,
    id,
    createdAt,
    cwd: '/w',
    ...(parentSession && { parentSession }),
  }
  const rows = [
    { ...header, delegationDepth: parentSession === undefined ? 0 : 1 },
    { type: 'turn/start', seq: 0, time: 5, data: { turn: 1 } },
  ]
  return Buffer.from(rows.map(row => JSON.stringify(row) + '\n').join(''))
}

const script = (number: number) => ({
  name: number === 0 ? 'session.jsonl' : `session.${number}.jsonl`,
  number,
  id: 'x',
  createdAt: 0,
  authored: false,
  authoredAt: new Set<number>(),
  entries: [],
})

function names(harvest: Partial<Harvest>): [string, string][] {
  const { sessions } = transcribe({
    stdout: '',
    frameTimes: [],
    files: new Map(),
    primary: undefined,
    bindings: [],
    context: { cwds: ['/w'] },
    ...harvest,
  })
  return sessions.map(session => [session.name, session.sessionId])
}

describe('transcribe', () => {
  it('knows logs by their first record, whatever they are called and wherever they lie', () => {
    const files = new Map([
      ['deep/down/anything', log('a', 1)],
      ['notes.jsonl', Buffer.from('{"type":"note"}\n')],
      ['empty.jsonl', Buffer.from('')],
    ])
    expect(names({ files, primary: 'a' })).toEqual([['session.jsonl', 'a']])
  })

  it('reads compressed logs, and leaves alone what is none', () => {
    const [header = '', row = ''] = log('a', 1).toString().split('\n')
    const files = new Map([
      ['anything', Buffer.concat([zstdCompressSync(`${header}\n`), zstdCompressSync(`${row}\n`)])],
      ['other.zst', zstdCompressSync('{"type":"note"}\n')],
      ['cut.zst', zstdCompressSync(log('b', 1)).subarray(0, 30)],
    ])
    expect(names({ files, primary: 'a' })).toEqual([['session.jsonl', 'a']])
  })

  it('says which compressed log is cut off after its header', () => {
    const [header = '', row = ''] = log('a', 1).toString().split('\n')
    const bytes = Buffer.concat([zstdCompressSync(`${header}\n`), zstdCompressSync(`${row}\n`)])
    const files = new Map([['logs/a.zstd', bytes.subarray(0, bytes.length - 1)]])
    expect(thrown(() => names({ files })).message).toContain('logs/a.zstd: the Zstandard frame at byte')
  })

  it('knows a log however its header is written', () => {
    const bytes = Buffer.from(
      '{ "version": 0, "type": "session", "id": "a", "createdAt": 1, "delegationDepth": 0 }',
    )
    expect(names({ files: new Map([['x', bytes]]), primary: 'a' })).toEqual([['session.jsonl', 'a']])
  })

  it('keeps a second log of one session', () => {
    const files = new Map([
      ['1', log('a', 1)],
      ['2', log('a', 1)],
    ])
    expect(names({ files, primary: 'a' })).toEqual([
      ['session.jsonl', 'a'],
      ['session.1.jsonl', 'a'],
    ])
  })

  it('puts a log beside the fixture whose script its session was given', () => {
    const files = new Map([
      ['1', log('first', 1, 'p')],
      ['2', log('second', 2, 'p')],
      ['3', log('p', 0)],
    ])
    const bindings = [
      { sessionId: 'p', script: script(0) },
      { sessionId: 'second', script: script(1) },
      { sessionId: 'first', script: script(2) },
    ]
    expect(names({ files, primary: 'p', bindings })).toEqual([
      ['session.jsonl', 'p'],
      ['session.1.jsonl', 'second'],
      ['session.2.jsonl', 'first'],
    ])
  })

  it('gives sessions that made no call the numbers that are left, in order of creation', () => {
    const files = new Map([
      ['1', log('late', 9, 'p')],
      ['2', log('b', 3, 'p')],
      ['3', log('a', 3, 'p')],
      ['4', log('bound', 1, 'p')],
      ['5', log('p', 0)],
    ])
    const bindings = [{ sessionId: 'bound', script: script(2) }]
    expect(names({ files, primary: 'p', bindings })).toEqual([
      ['session.jsonl', 'p'],
      ['session.1.jsonl', 'a'],
      ['session.2.jsonl', 'bound'],
      ['session.3.jsonl', 'b'],
      ['session.4.jsonl', 'late'],
    ])
  })

  it("a child that took the primary's script keeps a number of its own", () => {
    const files = new Map([
      ['1', log('child', 1, 'p')],
      ['2', log('p', 0)],
    ])
    const bindings = [{ sessionId: 'child', script: script(0) }]
    expect(names({ files, primary: 'p', bindings })).toEqual([
      ['session.jsonl', 'p'],
      ['session.1.jsonl', 'child'],
    ])
  })

  it('normalises with the ids of all sessions', () => {
    const files = new Map([
      ['1', log('parent-id', 0)],
      ['2', log('child-id', 1, 'parent-id')],
    ])
    const { sessions, stdout } = transcribe({
      stdout: '{"id":7,"result":{"sessionId":"child-id","at":"/w/x"}}\n',
      frameTimes: [5],
      files,
      primary: 'parent-id',
      bindings: [],
      context: { cwds: ['/w'] },
    })
    expect(stdout).toBe('{"id":1,"result":{"sessionId":"{{sessionId}}","at":"{{cwd}}/x"}}\n')
    expect(sessions[1]?.log.header).toMatchObject({
      id: '{{sessionId}}',
      parentSession: '{{sessionId}}',
      createdAt: 0,
    })
    expect(sessions[1]?.text.split('\n')[1]).toBe('{"type":"turn/start","data":{"turn":1}}')
  })
})
