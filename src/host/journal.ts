import { SnapshotError } from '../errors.ts'
import type { JsonObject } from '../session-log/types.ts'

/** One event as the agent has just appended it to a session. */
export interface LiveEvent {
  readonly type: string
  readonly seq: number
  readonly data: JsonObject
}

/** A session of the agent under test, seen while it runs. */
export interface LiveSession {
  readonly id: string
  /** The session that started this one; absent at a primary. */
  readonly parentSession?: string
  readonly events: readonly LiveEvent[]
}

/**
 * What the agent has logged so far, in order of first sight: the first session is the primary. A host appends; whoever
 * waits is told of each event as it comes.
 */
export class SessionJournal {
  readonly #sessions = new Map<
    string,
    { readonly id: string; readonly parentSession?: string; events: LiveEvent[] }
  >()
  readonly #watchers = new Set<() => void>()

  /** Every session seen, in order of first sight. */
  get sessions(): readonly LiveSession[] {
    return [...this.#sessions.values()]
  }

  append(session: { readonly id: string; readonly parentSession?: string }, event: LiveEvent): void {
    let entry = this.#sessions.get(session.id)
    if (entry === undefined) {
      entry = { ...session, events: [] }
      this.#sessions.set(session.id, entry)
    }
    entry.events.push(event)
    for (const watcher of [...this.#watchers]) watcher()
  }

  /**
   * Resolves with the first value other than undefined that `look` gives: now, or after some later event.
   *
   * @param look - called at once and again after each event; must not change anything
   * @param deadline - ends the wait; its reason is thrown
   */
  async until<T>(
    look: (sessions: readonly LiveSession[]) => T | undefined,
    deadline: AbortSignal,
  ): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const check = (): boolean => {
      try {
        const found = look(this.sessions)
        if (found === undefined) return false
        resolve(found)
      } catch (error) {
        // It is the waiter's own: the agent, whose event is looked at, must not get it.
        reject(error)
      }
      return true
    }
    const onAbort = (): void => reject(abortReason(deadline))
    if (check()) return promise
    if (deadline.aborted) throw abortReason(deadline)
    this.#watchers.add(check)
    deadline.addEventListener('abort', onAbort, { once: true })
    try {
      return await promise
    } finally {
      this.#watchers.delete(check)
      deadline.removeEventListener('abort', onAbort)
    }
  }
}

function abortReason(signal: AbortSignal): Error {
  const reason: unknown = signal.reason
  return reason instanceof Error ? reason : new SnapshotError('DEADLINE_EXCEEDED', String(reason))
}
