import type { StreamChunk } from '../../src/llm-replay/chunk.ts'
import type {
  JsonObject,
  JsonValue,
  SessionEvent,
  SessionHeader,
  SessionLog,
} from '../../src/session-log/types.ts'

export type Row = readonly [type: string, data: JsonObject, surfaceOp?: JsonValue]

/** A chunk as the log holds it. */
export function chunkRow(turn: number, step: number, chunk: StreamChunk | JsonObject): Row {
  return ['assistant/chunk', { turn, step, chunk: chunk as JsonObject }]
}

export function callRows(turn: number, step: number, chunks: readonly StreamChunk[]): Row[] {
  return chunks.map(chunk => chunkRow(turn, step, chunk))
}

export function logOf(
  rows: readonly Row[],
  header: Partial<SessionHeader> = {},
  file = 'session.jsonl',
): SessionLog {
  const whole: SessionHeader = {
    type: 'session',
    version: 0,
    id: 'a',
    createdAt: 0,
    delegationDepth: 0,
    ...header,
  }
  return {
    file,
    header: whole,
    headerLine: JSON.stringify(whole),
    events: rows.map(([type, data, surfaceOp], seq): SessionEvent => ({
      type,
      seq,
      time: 0,
      data,
      ...(surfaceOp === undefined ? {} : { surfaceOp }),
    })),
  }
}

/** A short answer in one text block. */
export function answer(text: string): StreamChunk[] {
  return [
    { type: 'block-start', index: 0, blockType: 'text' },
    { type: 'text-delta', index: 0, text },
    { type: 'block-end', index: 0, block: { type: 'text', text } },
    { type: 'usage', usage: { inputTokens: 3, outputTokens: 1 } },
    { type: 'finish', reason: { kind: 'stop' } },
  ]
}

/** An answer that was cut off. */
export const cut: readonly StreamChunk[] = answer('par').slice(0, 2)
