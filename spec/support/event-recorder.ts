import type { CompositionOptions, SessionEvent } from '../../src/index.ts'

/** An event as the agent appended it, before anything was stored. */
export interface RecordedEvent {
  readonly sessionId: string
  readonly event: SessionEvent
}

interface SessionContext {
  on(
    name: 'session/event',
    listener: (session: { readonly header: { readonly id: string } }, event: SessionEvent) => void,
    options: { readonly global: true },
  ): void
}

/** A plugin that notes every event of every session, in the order in which they came to be. */
export function eventRecorder(): {
  readonly events: readonly RecordedEvent[]
  readonly composition: Pick<CompositionOptions, 'patches' | 'modules'>
} {
  const events: RecordedEvent[] = []
  const plugin = {
    name: 'event-recorder',
    apply: (ctx: SessionContext) => {
      ctx.on(
        'session/event',
        (session, event) => {
          events.push({
            sessionId: session.header.id,
            event: JSON.parse(JSON.stringify(event)) as SessionEvent,
          })
        },
        { global: true },
      )
    },
  }
  return {
    events,
    composition: {
      patches: [{ insert: [{ id: 'event-recorder', name: 'spec:event-recorder' }] }],
      modules: { 'spec:event-recorder': plugin },
    },
  }
}
