import { lineageOf, type LineageSource, type SessionLineage } from './lineage.ts'
import { isObject } from './shape.ts'

/** The harness's store of live sessions, by structure. */
interface SessionStore {
  get?(id: string): unknown
}

interface WithServices {
  get?(service: 'sessions'): SessionStore | undefined
}

/**
 * What a composition's own store says of a session; undefined where there is no store, or where it has no such session.
 * The store may start after the replay: it is looked for each time.
 */
export function storedLineage(ctx: object, sessionId: string): SessionLineage | undefined {
  const session = (ctx as WithServices).get?.('sessions')?.get?.(sessionId)
  return isSession(session) ? lineageOf(session) : undefined
}

/** Another agent may have a service of that name, which knows of other things. */
function isSession(value: unknown): value is LineageSource {
  return isObject(value) && isObject(value.header) && Array.isArray(value.events)
}
