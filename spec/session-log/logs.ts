import { SnapshotError } from '../../src/errors.ts'
import type { SessionEvent, SessionLog } from '../../src/session-log/index.ts'

/** A header line with a space where a writer leaves none: a projection must keep even that. */
export const HEADER_LINE =
  '{"type":"session", "version":0,"id":"0b0e7f6a-5a5c-4e0a-9a52-2f8f0a4c9d11","createdAt":1700000000000,"delegationDepth":0}'

export const HEADER = {
  type: 'session',
  version: 0,
  id: '0b0e7f6a-5a5c-4e0a-9a52-2f8f0a4c9d11',
  createdAt: 1_700_000_000_000,
  delegationDepth: 0,
} as const

export function logOf(events: readonly SessionEvent[]): SessionLog {
  return { file: 'session.jsonl', header: HEADER, headerLine: HEADER_LINE, events }
}

/** A log's text: the header, then one line a row; a string is a line as it is. */
export function textOf(...rows: readonly unknown[]): string {
  const lines = rows.map(row => (typeof row === 'string' ? row : JSON.stringify(row)))
  return [HEADER_LINE, ...lines, ''].join('\n')
}

export function textDelta(seq: number, text: string, time = 1000 + seq): SessionEvent {
  return {
    type: 'assistant/chunk',
    seq,
    time,
    data: { turn: 1, step: 1, chunk: { type: 'text-delta', index: 0, text } },
  }
}

/** The message of the SnapshotError that `action` throws; another outcome fails the test. */
export function refusal(action: () => unknown): string {
  try {
    action()
  } catch (error) {
    if (error instanceof SnapshotError && error.code === 'SESSION_LOG_INVALID') return error.message
    throw error
  }
  throw new Error('was accepted')
}
