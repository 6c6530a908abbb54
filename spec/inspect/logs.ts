import {
  parseSessionLog,
  type JsonObject,
  type SessionHeader,
  type SessionLog,
} from '../../src/session-log/index.ts'
import { HEADER } from '../session-log/logs.ts'

/** A row as a fixture holds it. */
export type Row = readonly [type: string, data: JsonObject, surfaceOp?: string]

/** The text of a log as a fixture holds it. */
export function logText(rows: readonly Row[], header: Partial<SessionHeader> = {}): string {
  const lines = rows.map(([type, data, surfaceOp]) => JSON.stringify({ type, data, surfaceOp }))
  return [JSON.stringify({ ...HEADER, ...header }), ...lines, ''].join('\n')
}

/** The log that the text is read to. */
export function logOf(rows: readonly Row[], header: Partial<SessionHeader> = {}): SessionLog {
  return parseSessionLog(logText(rows, header), 'session.jsonl')
}

/** A log as an agent stores it: an event's time is `start` ms and as many more as its row says. */
export function timedLog(
  rows: readonly (readonly [type: string, data: JsonObject, after: number])[],
  start = 1000,
): SessionLog {
  const lines = rows.map(([type, data, after], seq) =>
    JSON.stringify({ type, seq, time: start + after, data }),
  )
  return parseSessionLog([JSON.stringify(HEADER), ...lines, ''].join('\n'), 'session.jsonl')
}

export function chunk(turn: number, step: number, value: JsonObject): Row {
  return ['assistant/chunk', { turn, step, chunk: value }]
}

/** A packed run of text deltas. */
export function packed(turn: number, step: number, dt: readonly number[], texts: readonly string[]): Row {
  return ['text-chunks', { turn, step, index: 0, dt, texts }]
}

export const usage = { inputTokens: 10, outputTokens: 2, cacheReadTokens: 5 }

/** The stream of a call that says so much. */
export function call(
  turn: number,
  step: number,
  texts: readonly string[],
  finish: JsonObject = { kind: 'stop' },
): Row[] {
  const block = { type: 'text', text: texts.join('') }
  return [
    chunk(turn, step, { type: 'block-start', index: 0, blockType: 'text' }),
    ...texts.map(text => chunk(turn, step, { type: 'text-delta', index: 0, text })),
    chunk(turn, step, { type: 'block-end', index: 0, block }),
    chunk(turn, step, { type: 'usage', usage }),
    chunk(turn, step, { type: 'finish', reason: finish }),
  ]
}

/** The beginning of a stream that was cut off. */
export function cutCall(turn: number, step: number, text: string): Row[] {
  return [
    chunk(turn, step, { type: 'block-start', index: 0, blockType: 'text' }),
    chunk(turn, step, { type: 'text-delta', index: 0, text }),
  ]
}

/** A turn of one step with these rows in it. */
export function turnOf(
  turn: number,
  rows: readonly Row[],
  reason: JsonObject = { kind: 'completed' },
): Row[] {
  return [
    ['turn/start', { turn }],
    ['step/start', { turn, step: 1 }],
    ...rows,
    ['step/end', { turn, step: 1 }],
    ['turn/end', { turn, reason }],
  ]
}
