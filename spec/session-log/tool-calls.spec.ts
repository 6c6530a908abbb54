import { describe, expect, it } from 'vitest'
import {
  toolCallsOf,
  type JsonObject,
  type SessionEvent,
  type SessionHeader,
  type SessionLog,
} from '../../src/session-log/index.ts'
import { HEADER, logOf } from './logs.ts'

describe('toolCallsOf', () => {
  it('gives the calls in order, each with its result', () => {
    const log = logOfAll([
      ['turn/start', { turn: 1 }],
      call('a', 'read', '{"file_path":"x"}'),
      call('b', 'bash'),
      result('a', ['one', 'two']),
      result('b', ['\n[exit code: 4]']),
    ])
    expect(toolCallsOf(log)).toEqual([
      {
        seq: 1,
        turn: 1,
        step: 2,
        callId: 'a',
        name: 'read',
        arguments: '{"file_path":"x"}',
        result: { seq: 3, text: 'one\ntwo', isError: false },
      },
      {
        seq: 2,
        turn: 1,
        step: 2,
        callId: 'b',
        name: 'bash',
        arguments: '{}',
        result: { seq: 4, text: '\n[exit code: 4]', isError: false, exitCode: 4 },
      },
    ])
  })

  it('tells of errors', () => {
    const log = logOfAll([
      call('a', 'nope'),
      result('a', ['x\n[exit code: 4]'], {
        isError: true,
        error: { name: 'ToolNotFoundError', code: 'UNKNOWN_TOOL' },
      }),
      call('b', 'odd'),
      result('b', [], { error: { name: 7 } }),
      call('c', 'odder'),
      result('c', [], { error: 'text' }),
    ])
    expect(toolCallsOf(log).map(({ result }) => result)).toEqual([
      {
        seq: 1,
        text: 'x\n[exit code: 4]',
        isError: true,
        error: { name: 'ToolNotFoundError', code: 'UNKNOWN_TOOL' },
      },
      { seq: 3, text: '', isError: false, error: {} },
      { seq: 5, text: '', isError: false },
    ])
  })

  it('leaves out what a fork has inherited, and the results of it', () => {
    const events = [call('a', 'read'), call('b', 'read'), result('a', ['x']), call('c', 'read')] as const
    expect(toolCallsOf(logOfAll(events, { seedLength: 2 })).map(({ callId }) => callId)).toEqual(['c'])
  })

  it('takes an id that comes again for another call', () => {
    const log = logOfAll([
      call('a', 'read'),
      call('a', 'bash'),
      result('a', ['of read']),
      result('a', ['of bash']),
      ['step/end', { turn: 1, step: 2 }],
      call('a', 'edit'),
      ['step/end', { turn: 1, step: 2 }],
      call('a', 'write'),
      result('a', ['of write']),
    ])
    expect(toolCallsOf(log).map(({ name, result }) => [name, result?.text])).toEqual([
      ['read', 'of read'],
      ['bash', 'of bash'],
      ['edit', undefined],
      ['write', 'of write'],
    ])
  })

  it('keeps the result that the tool gave when a compaction takes its place', () => {
    const log = logOfAll([
      call('a', 'read'),
      result('a', ['long']),
      ['step/end', { turn: 1, step: 2 }],
      result('a', ['(cleared)']),
    ])
    expect(toolCallsOf(log)[0]?.result?.text).toBe('long')
  })

  it('takes what is not of the format as far as it goes', () => {
    const log = logOfAll([
      ['tool/call', { callId: 7, name: 'read' }],
      ['tool/call', { callId: 'a' }],
      ['tool/call', { callId: 'b', name: 'read', turn: '1', step: null }],
      ['tool/result', { message: 'none' }],
      ['tool/result', { message: { source: { callId: 'b' }, content: [['text']] } }],
      ['tool/call', { callId: 'c', name: 'read' }],
      [
        'tool/result',
        {
          message: {
            source: { callId: 'c' },
            content: [{ content: ['x', { type: 'text' }, { text: 'y' }] }],
          },
        },
      ],
    ])
    expect(toolCallsOf(log)).toEqual([
      {
        seq: 2,
        callId: 'b',
        name: 'read',
        arguments: '',
        result: { seq: 4, text: '', isError: false },
      },
      {
        seq: 5,
        callId: 'c',
        name: 'read',
        arguments: '',
        result: { seq: 6, text: '', isError: false },
      },
    ])
  })
})

type Row = readonly [type: string, data: JsonObject]

function logOfAll(rows: readonly Row[], header: Partial<SessionHeader> = {}): SessionLog {
  const events = rows.map(([type, data], seq): SessionEvent => ({ type, seq, time: 1, data }))
  return { ...logOf(events), header: { ...HEADER, ...header } }
}

function call(callId: string, name: string, given = '{}'): Row {
  return ['tool/call', { turn: 1, step: 2, callId, name, arguments: given }]
}

function result(
  callId: string,
  texts: readonly string[],
  { isError = false, ...rest }: JsonObject = {},
): Row {
  const content = texts.map(text => ({ type: 'text', text }))
  const block = { type: 'tool-result', toolCallId: callId, content, isError }
  return [
    'tool/result',
    { turn: 1, step: 2, message: { source: { kind: 'tool', callId }, content: [block] }, ...rest },
  ]
}
