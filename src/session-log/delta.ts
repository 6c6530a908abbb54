import { isCount, isInteger } from './integers.ts'
import { isRawObject } from './json-line.ts'
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
  if (event.type !== 'assistant/chunk' || Object.keys(event).length !== 4) return undefined
  if (!isCount(event.seq) || !isInteger(event.time)) return undefined
  const { data } = event
  if (!isRawObject(data) || Object.keys(data).length !== 3) return undefined
  const { turn, step, chunk } = data
  if (!isNumber(turn) || !isNumber(step) || !isRawObject(chunk)) return undefined
  const { type, index, text, id, name, argumentsDelta } = chunk
  if (!isNumber(index)) return undefined
  const keys = Object.keys(chunk).length
  if (type === 'text-delta' || type === 'reasoning-delta') {
    if (typeof text !== 'string' || keys !== 3) return undefined
    const rowType = type === 'text-delta' ? 'text-chunks' : 'reasoning-chunks'
    return { rowType, turn, step, index, id: undefined, name: undefined, text }
  }
  if (type !== 'tool-call-delta' || typeof id !== 'string' || typeof argumentsDelta !== 'string')
    return undefined
  if (keys === 4) {
    // Four known keys leave no room for a name, not even for one that is undefined.
    return { rowType: 'tool-call-chunks', turn, step, index, id, name: undefined, text: argumentsDelta }
  }
  if (keys !== 5 || typeof name !== 'string') return undefined
  return { rowType: 'tool-call-chunks', turn, step, index, id, name, text: argumentsDelta }
}

/** A number that JSON can write. */
function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}
