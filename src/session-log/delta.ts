import { hasKeys, isDeltaChunk } from './delta-chunk.ts'
import { isCount, isInteger } from './integers.ts'
import type { SessionEvent, TextChunksRow, ToolCallChunksRow } from './types.ts'

/** What a packed row would keep of one event. */
export type Delta = TextDelta | ToolCallDelta

interface DeltaBase {
  readonly turn: number
  readonly step: number
  readonly index: number
  readonly text: string
}

interface TextDelta extends DeltaBase {
  readonly rowType: TextChunksRow['type']
  readonly id: undefined
  readonly name: undefined
}

interface ToolCallDelta extends DeltaBase {
  readonly rowType: ToolCallChunksRow['type']
  readonly id: string
  /** Undefined where the event has no name. */
  readonly name: string | undefined
}

/**
 * The event as a member of a packed row; undefined unless its whole shape is known. An event with one key too many would
 * lose it in a row.
 */
export function asDelta(event: SessionEvent): Delta | undefined {
  if (event.type !== 'assistant/chunk' || !hasKeys(event, 4)) return undefined
  if (!isCount(event.seq) || !isInteger(event.time)) return undefined
  const { turn, step, chunk } = event.data
  if (!isNumber(turn) || !isNumber(step) || !isDeltaChunk(chunk) || !isNumber(chunk.index)) return undefined
  if (!hasKeys(event.data, 3)) return undefined
  const { index } = chunk
  if (chunk.type === 'tool-call-delta') {
    const { id, name, argumentsDelta: text } = chunk
    return { rowType: 'tool-call-chunks', turn, step, index, id, name, text }
  }
  const rowType = chunk.type === 'text-delta' ? 'text-chunks' : 'reasoning-chunks'
  return { rowType, turn, step, index, id: undefined, name: undefined, text: chunk.text }
}

/** A number that JSON can write. */
function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}
