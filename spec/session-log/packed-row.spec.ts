import { describe, expect, it } from 'vitest'
import { decodeRow, decodeRows, parseSessionLog, type SessionEvent } from '../../src/session-log/index.ts'
import { refusal, textDelta, textOf } from './logs.ts'

const MAX = Number.MAX_SAFE_INTEGER
const place = { file: 'session.jsonl', line: 9 }
const data = { turn: 1, step: 1, index: 0, dt: [1, -5], texts: ['a', '', 'c'] }
const row = { type: 'text-chunks', seq0: 4, time0: 10, data } as const
const toolData = { turn: 2, step: 3, index: 1, dt: [0], id: 'call', args: ['{', '}'] }
const toolRow = { type: 'tool-call-chunks', seq0: 4, time0: 10, data: toolData } as const

const refused = (value: unknown): string => refusal(() => decodeRow(value, place))
const withData = (change: object): object => ({ ...row, data: { ...data, ...change } })
const withToolData = (change: object): object => ({ ...toolRow, data: { ...toolData, ...change } })
const asJson = (events: readonly SessionEvent[]): readonly string[] =>
  events.map(event => JSON.stringify(event))

describe('a packed row', () => {
  it('decodes to text deltas', () => {
    expect(decodeRow(row, place)).toStrictEqual([
      textDelta(4, 'a', 10),
      textDelta(5, '', 11),
      textDelta(6, 'c', 6),
    ])
  })

  it('decodes to reasoning deltas', () => {
    expect(
      asJson(decodeRow({ ...row, type: 'reasoning-chunks', data: { ...data, dt: [], texts: ['a'] } }, place)),
    ).toEqual([
      '{"type":"assistant/chunk","seq":4,"time":10,"data":{"turn":1,"step":1,"chunk":{"type":"reasoning-delta","index":0,"text":"a"}}}',
    ])
  })

  it('decodes to tool call deltas, without a name', () => {
    expect(asJson(decodeRow(toolRow, place))).toEqual([
      '{"type":"assistant/chunk","seq":4,"time":10,"data":{"turn":2,"step":3,"chunk":{"type":"tool-call-delta","index":1,"id":"call","argumentsDelta":"{"}}}',
      '{"type":"assistant/chunk","seq":5,"time":10,"data":{"turn":2,"step":3,"chunk":{"type":"tool-call-delta","index":1,"id":"call","argumentsDelta":"}"}}}',
    ])
  })

  it('decodes to tool call deltas, with a name', () => {
    expect(asJson(decodeRow(withToolData({ name: '', dt: [], args: ['x'] }), place))).toEqual([
      '{"type":"assistant/chunk","seq":4,"time":10,"data":{"turn":2,"step":3,"chunk":{"type":"tool-call-delta","index":1,"id":"call","name":"","argumentsDelta":"x"}}}',
    ])
  })

  it('may have its keys in any order', () => {
    const shuffled = {
      data: { texts: data.texts, dt: data.dt, index: 0, step: 1, turn: 1 },
      time0: 10,
      seq0: 4,
      type: row.type,
    }
    expect(decodeRow(shuffled, place)).toStrictEqual(decodeRow(row, place))
  })

  it('reaches the ends of the safe range, but not beyond', () => {
    const wide = withData({ dt: [MAX, -MAX], texts: ['a', 'b', 'c'] })
    expect(
      decodeRow({ ...wide, seq0: MAX - 2, time0: 0 }, place).map(event => [event.seq, event.time]),
    ).toEqual([
      [MAX - 2, 0],
      [MAX - 1, MAX],
      [MAX, 0],
    ])
    expect(refused({ ...wide, seq0: MAX - 1, time0: 0 })).toBe(
      'session.jsonl:9: seq0 is 9007199254740990; expected one that leaves the seqs of all 3 members safe integers',
    )
    expect(refused({ ...wide, time0: 1 })).toBe(
      'session.jsonl:9: data.dt[0] leads to the time 9007199254740992; expected times that are safe integers',
    )
    expect(refused(withData({ dt: [-MAX, -MAX] }))).toContain(
      'data.dt[1] leads to the time -18014398509481972;',
    )
  })

  it.each([
    [
      { ...row, ignorable: true },
      'the text-chunks row has the unknown key "ignorable"; expected exactly type, seq0, time0, data',
    ],
    [
      { type: row.type, time0: 1, data },
      'the text-chunks row has no seq0; expected exactly type, seq0, time0, data',
    ],
    [
      { type: row.type, seq0: 1, data },
      'the text-chunks row has no time0; expected exactly type, seq0, time0, data',
    ],
    [
      { type: row.type, seq: 1, time: 1, data },
      'the text-chunks row has no seq0; expected exactly type, seq0, time0, data',
    ],
    [{ ...row, seq0: -1 }, 'seq0 is -1; expected a safe integer >= 0'],
    [{ ...row, seq0: -0 }, 'seq0 is -0; expected a safe integer >= 0'],
    [{ ...row, seq0: MAX + 1 }, 'seq0 is 9007199254740992; expected a safe integer >= 0'],
    [{ ...row, time0: -1 }, 'time0 is -1; expected a safe integer >= 0: epoch milliseconds'],
    [
      { ...row, time0: MAX + 1 },
      'time0 is 9007199254740992; expected a safe integer >= 0: epoch milliseconds',
    ],
    [{ ...row, time0: null }, 'time0 is null; expected a safe integer >= 0: epoch milliseconds'],
    [{ ...row, data: [] }, 'data is an array of 0; expected an object'],
    [
      withData({ x: 1 }),
      'the data of the text-chunks row has the unknown key "x"; expected exactly turn, step, index, dt, texts',
    ],
    [
      withData({ step: undefined }),
      'the data of the text-chunks row has no step; expected exactly turn, step, index, dt, texts',
    ],
    [withData({ turn: '1' }), 'data.turn is "1"; expected a number'],
    [withData({ step: null }), 'data.step is null; expected a number'],
    [withData({ index: NaN }), 'data.index is null; expected a number'],
    [
      withData({ texts: [], dt: [] }),
      'data.texts is an array of 0; expected an array of at least one string',
    ],
    [withData({ texts: 'abc' }), 'data.texts is "abc"; expected an array of at least one string'],
    [withData({ texts: ['a', 'b', 3] }), 'data.texts[2] is 3; expected a string'],
    [
      withData({ dt: [1] }),
      'data.dt is an array of 1; expected an array of 2 safe integers, one fewer than there are members',
    ],
    [
      withData({ dt: { length: 2 } }),
      'data.dt is an object {length}; expected an array of 2 safe integers, one fewer than there are members',
    ],
    [withData({ dt: [1, '2'] }), 'data.dt[1] is "2"; expected a safe integer: milliseconds'],
    [withData({ dt: [0.5, 0.5] }), 'data.dt[0] is 0.5; expected a safe integer: milliseconds'],
    [withData({ dt: [-0, 1] }), 'data.dt[0] is -0; expected a safe integer: milliseconds'],
    [withToolData({ id: 4 }), 'data.id is 4; expected a string'],
    [withToolData({ name: null }), 'data.name is null; expected a string, or no such key'],
    [withToolData({ args: [null, ''] }), 'data.args[0] is null; expected a string'],
    [
      withToolData({ texts: [] }),
      'the data of the tool-call-chunks row has the unknown key "texts"; expected exactly turn, step, index, dt, id, args',
    ],
    [
      withToolData({ name: 'n', x: 1 }),
      'the data of the tool-call-chunks row has the unknown key "x"; expected exactly turn, step, index, dt, id, name, args',
    ],
  ])('refuses %j', (value, expected) => {
    expect(refused(value)).toBe(`session.jsonl:9: ${expected}`)
  })

  it('has only type and data when it is projected', () => {
    expect(refusal(() => parseSessionLog(textOf({ type: row.type, data, ignorable: true }), 'a.jsonl'))).toBe(
      'a.jsonl:2: the text-chunks row has the unknown key "ignorable"; expected exactly type, data',
    )
  })
})

describe('decodeRows', () => {
  it('decodes rows that are not contiguous', () => {
    expect(decodeRows([row, textDelta(0, 'x')])).toStrictEqual([...decodeRow(row, place), textDelta(0, 'x')])
  })

  it('counts the first row as line 2', () => {
    const bad = { ...row, time0: -4 }
    expect(refusal(() => decodeRows([row, bad]))).toMatch(/^session\.jsonl:3: time0 is -4/)
    expect(refusal(() => decodeRows([bad], 'b.jsonl'))).toMatch(/^b\.jsonl:2: time0 is -4/)
  })
})
