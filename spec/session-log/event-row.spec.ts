import { describe, expect, it } from 'vitest'
import { decodeRow, parseSessionLog } from '../../src/session-log/index.ts'
import { refusal, textOf } from './logs.ts'

const place = { file: 'session.2.jsonl', line: 14 }
const event = { type: 'turn/start', seq: 3, time: 4, data: { turn: 1 } }
const message = { type: 'user/message', seq: 3, time: 4, data: { id: 'u' } }
const refused = (row: unknown): string => refusal(() => decodeRow(row, place))

describe('an event row', () => {
  it('keeps unknown types and unknown fields of its data', () => {
    const row = {
      type: 'acme/new',
      seq: 3,
      time: 4,
      data: { deep: [{ er: null }], source: { kind: 'acme' } },
    }
    expect(decodeRow(row, place)).toStrictEqual([row])
  })

  it('gets its keys in the order of the format', () => {
    const row = {
      ignorable: true,
      surfaceOp: 'append',
      sourceEventSeqs: [1],
      data: { b: 1, a: 2 },
      time: 4,
      seq: 3,
      type: 'tool/result',
    }
    expect(JSON.stringify(decodeRow(row, place)[0])).toBe(
      '{"type":"tool/result","seq":3,"time":4,"data":{"b":1,"a":2},"sourceEventSeqs":[1],"surfaceOp":"append","ignorable":true}',
    )
  })

  it('has a closed envelope', () => {
    expect(refused({ ...event, turn: 1 })).toBe(
      'session.2.jsonl:14: the event has the unknown key "turn" beside its data; expected only type, seq, time, data, ' +
        'sourceEventSeqs, surfaceOp, ignorable',
    )
    expect(refused({ ...event, seq0: 1 })).toContain('the unknown key "seq0"')
    const hostile = JSON.stringify(event).replace('"data"', '"__proto__":{"seq":1},"data"')
    expect(refused(JSON.parse(hostile))).toContain('the unknown key "__proto__"')
    expect(refused({ ...event, ['k'.repeat(100)]: 1 })).toContain(`"${'k'.repeat(60)}"… (100 characters)`)
  })

  it.each([
    [[event], 'the row is an array of 1; expected an object'],
    ['turn/start', 'the row is "turn/start"; expected an object'],
    [{ ...event, type: undefined }, 'type is missing; expected the name of an event or of a row'],
    [{ ...event, type: '' }, 'type is ""; expected the name of an event or of a row'],
    [{ ...event, type: 3 }, 'type is 3; expected the name of an event or of a row'],
    [{ ...event, seq: undefined }, 'seq is missing; expected a safe integer >= 0'],
    [{ ...event, seq: -1 }, 'seq is -1; expected a safe integer >= 0'],
    [{ ...event, seq: -0 }, 'seq is -0; expected a safe integer >= 0'],
    [{ ...event, seq: '3' }, 'seq is "3"; expected a safe integer >= 0'],
    [{ ...event, seq: 2 ** 53 }, 'seq is 9007199254740992; expected a safe integer >= 0'],
    [{ ...event, time: undefined }, 'time is missing; expected a safe integer: epoch milliseconds'],
    [{ ...event, time: 1.5 }, 'time is 1.5; expected a safe integer: epoch milliseconds'],
    [{ ...event, time: -0 }, 'time is -0; expected a safe integer: epoch milliseconds'],
    [{ ...event, data: undefined }, 'data is missing; expected an object'],
    [{ ...event, data: [1, 2] }, 'data is an array of 2; expected an object'],
    [{ ...event, data: null }, 'data is null; expected an object'],
    [{ ...event, ignorable: false }, 'ignorable is false; expected true, or no such key'],
    [{ ...event, sourceEventSeqs: 3 }, 'sourceEventSeqs is 3; expected an array of safe integers >= 0'],
    [{ ...event, sourceEventSeqs: [0, -1] }, 'sourceEventSeqs[1] is -1; expected a safe integer >= 0'],
  ])('refuses %j', (row, expected) => {
    expect(refused(row)).toBe(`session.2.jsonl:14: ${expected}`)
  })
})

describe('surfaceOp', () => {
  it.each(['user/message', 'assistant/message', 'tool/result'])('must be carried by %s', type => {
    expect(refused({ ...message, type })).toBe(
      `session.2.jsonl:14: the surfaceOp of a "${type}" is missing; expected "append" or ` +
        `{"op":"replace","start":n,"end":n} with safe integers >= 0`,
    )
    for (const surfaceOp of ['append', { op: 'replace', start: 0, end: 0 }]) {
      const row = { ...message, type, surfaceOp }
      expect(decodeRow(row, place)).toStrictEqual([row])
    }
  })

  it('must not be carried by another type, known or not', () => {
    for (const type of ['assistant/chunk', 'acme/new']) {
      expect(refused({ ...event, type, surfaceOp: 'append' })).toBe(
        `session.2.jsonl:14: surfaceOp is "append"; expected none: only user/message, assistant/message, tool/result ` +
          `carry one, and this is a "${type}"`,
      )
    }
  })

  it.each([
    ['prepend', '"prepend"'],
    [null, 'null'],
    [['append'], 'an array of 1'],
    [{ op: 'remove', start: 0, end: 1 }, 'an object {op, start, end}'],
    [{ op: 'replace', start: 0 }, 'an object {op, start}'],
    [{ op: 'replace', start: -1, end: 1 }, 'an object {op, start, end}'],
    [{ op: 'replace', start: 0, end: 0.5 }, 'an object {op, start, end}'],
    [{ op: 'replace', start: 0, end: 1, x: 1 }, 'an object {op, start, end, x}'],
    [{ a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1, h: 1, i: 1 }, 'an object {a, b, c, d, e, f, g, h, …}'],
  ])('refuses %j', (surfaceOp, found) => {
    expect(refused({ ...message, surfaceOp })).toContain(
      `the surfaceOp of a "user/message" is ${found}; expected`,
    )
  })

  it('is checked in projected rows too', () => {
    expect(refusal(() => parseSessionLog(textOf({ type: 'user/message', data: {} }), 'a.jsonl'))).toContain(
      'a.jsonl:2: the',
    )
  })
})
