import { SnapshotError } from '../errors.ts'
import { eventPlace } from './event-place.ts'
import type { JsonValue, SessionEvent, SessionLog } from './types.ts'

/** A message that the model sees, and the event that put it there. */
export interface SurfaceMessage {
  readonly seq: number
  readonly message: JsonValue
}

/**
 * What the model saw at one place of a log. It costs no copy of the messages: many views share a list that only grows.
 */
export interface SurfaceView {
  /** In the order in which a request has them. */
  messages(): SurfaceMessage[]
}

/**
 * Folds the surface events of a log, one after the other: a message is appended, or takes the place of a range of
 * earlier ones. An assistant message without content holds a place on the surface and is in no request.
 */
export class SurfaceFold {
  readonly #log: SessionLog
  #nodes: SurfaceMessage[] = []
  /** Where an event is among the nodes; the nodes are in order of their place, not of their seq. */
  #positions = new Map<number, number>()

  /** @param log - whose events are given to {@link apply}; it is named in errors */
  constructor(log: SessionLog) {
    this.#log = log
  }

  /**
   * @throws SnapshotError `SESSION_LOG_INVALID` where a replacement names no range of the surface
   */
  apply(event: SessionEvent): void {
    const { surfaceOp } = event
    if (surfaceOp === undefined) return
    const node = { seq: event.seq, message: messageOf(event) }
    if (typeof surfaceOp !== 'object' || surfaceOp === null || Array.isArray(surfaceOp)) {
      this.#positions.set(event.seq, this.#nodes.length)
      this.#nodes.push(node)
      return
    }
    const { start, end } = surfaceOp as { readonly start: number; readonly end: number }
    const from = this.#positions.get(start)
    const to = this.#positions.get(end)
    if (from === undefined || to === undefined || from > to) throw this.#noRange(event, start, end)
    const replaced = this.#nodes.slice(from, to + 1)
    // A new list: the old one may be in views.
    this.#nodes = this.#nodes.toSpliced(from, to - from + 1, node)
    for (const { seq } of replaced) this.#positions.delete(seq)
    this.#positions.set(event.seq, from)
    if (to > from) for (const [at, { seq }] of this.#nodes.entries()) this.#positions.set(seq, at)
  }

  /** What the model sees now. */
  view(): SurfaceView {
    const nodes = this.#nodes
    const { length } = nodes
    return { messages: () => nodes.slice(0, length).filter(({ message }) => !isEmpty(message)) }
  }

  #noRange({ seq }: SessionEvent, start: number, end: number): SnapshotError {
    return new SnapshotError(
      'SESSION_LOG_INVALID',
      `${eventPlace(this.#log, seq)}: the event replaces what the events ${start} to ${end} put before the model, but ` +
        'these are no range of what it sees there. Restore the whole log, or record it again.',
      { details: { file: this.#log.file, seq, start, end } },
    )
  }
}

/** A user's message is the event's data; of the other two it is a part. */
function messageOf({ type, data }: SessionEvent): JsonValue {
  return type === 'user/message' ? data : (data.message ?? null)
}

function isEmpty(message: JsonValue): boolean {
  if (typeof message !== 'object' || message === null || !('content' in message)) return false
  const { role, content } = message
  return role === 'assistant' && Array.isArray(content) && content.length === 0
}
