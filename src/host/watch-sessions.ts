import type { JsonObject } from '../session-log/types.ts'
import type { LiveEvent, LiveSession } from './journal.ts'

/** A context that events of its whole composition can be listened to in. */
interface EventContext {
  on(
    event: 'session/event',
    listener: (session: SeenSession, event: SeenEvent) => void,
    options: { global: true },
  ): unknown
}

interface SeenSession {
  readonly header: { readonly id: string; readonly parentSession?: string }
}

interface SeenEvent {
  readonly type: string
  readonly seq: number
  readonly data: JsonObject
}

/** Tells of each event that a composition logs, at once. */
export function watchSessions(
  ctx: object,
  tell: (session: Omit<LiveSession, 'events'>, event: LiveEvent) => void,
): void {
  const context = ctx as EventContext
  context.on(
    'session/event',
    ({ header: { id, parentSession } }, event) =>
      tell({ id, ...(parentSession === undefined ? {} : { parentSession }) }, event),
    { global: true },
  )
}
