/** A piece of a text block, as a model streams it. */
export interface TextDeltaChunk {
  readonly type: 'text-delta' | 'reasoning-delta'
  readonly index: number
  readonly text: string
}

/** A piece of a tool call's arguments. */
export interface ToolCallDeltaChunk {
  readonly type: 'tool-call-delta'
  readonly index: number
  readonly id: string
  readonly name?: string
  readonly argumentsDelta: string
}

/**
 * Whether a JSON value is a delta with exactly its keys. Nearly all events of a log hold one, so that whoever walks over
 * a log has a short way for them: this looks at a delta without a walk over its keys.
 */
export function isDeltaChunk(value: unknown): value is TextDeltaChunk | ToolCallDeltaChunk {
  if (typeof value !== 'object' || value === null) return false
  const { type, index, text, id, name, argumentsDelta } = value as Readonly<Record<string, unknown>>
  if (typeof index !== 'number') return false
  if (type === 'text-delta' || type === 'reasoning-delta')
    return typeof text === 'string' && hasKeys(value, 3)
  if (type !== 'tool-call-delta' || typeof id !== 'string' || typeof argumentsDelta !== 'string') return false
  // Four known keys leave no room for a name, not even for one that is undefined.
  return hasKeys(value, 4) || (typeof name === 'string' && hasKeys(value, 5))
}

/** Whether an object as JSON has it has so many keys. A list of them would be garbage of the size of the log. */
export function hasKeys(value: object, count: number): boolean {
  let left = count
  // eslint-disable-next-line @typescript-eslint/no-unused-vars -- counted
  for (const _key in value) left--
  return left === 0
}
