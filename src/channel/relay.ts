import { abortableStream } from '../llm-replay/abortable-stream.ts'
import { attachModel, type Attachment } from '../llm-replay/attach.ts'
import type { StreamChunk } from '../llm-replay/chunk.ts'
import type { ReplayConfig } from '../llm-replay/config.ts'
import type { ModelRequest } from '../llm-replay/engine.ts'
import { storedLineage } from '../llm-replay/live-sessions.ts'
import type { JsonObject } from '../session-log/types.ts'
import type { AgentEnd } from './agent-end.ts'
import { fromSent } from './sent-error.ts'

type Stream = AsyncIterable<StreamChunk>

/**
 * Lets the run at the other end of the channel answer the model calls of a composition, chunk by chunk as they are read:
 * it holds the recording, compares the requests, and keeps the count.
 *
 * @param config - of the replay's entry in the composition
 */
export function relayModel(ctx: object, end: AgentEnd, config: ReplayConfig = {}): Attachment {
  const { paceMs, drift, providers = [] } = config
  const { routes, recorded } = end.setup
  end.tell({
    type: 'replay',
    ...(paceMs === undefined ? {} : { paceMs }),
    ...(drift === undefined ? {} : { drift }),
  })
  const relay = (request: ModelRequest, next: () => Stream): Stream =>
    abortableStream(answers(ctx, end, request, next), request.signal)
  return attachModel(ctx, {
    listener: relay,
    serve: request => relay(request, noProvider),
    providers,
    recorded,
    routes,
  })
}

/** Tells the run of each event of each session, as it is logged. */
export function relayEvents(
  ctx: { on(event: string, listener: (...args: never[]) => unknown, options: { global: true }): unknown },
  end: AgentEnd,
): void {
  interface SeenSession {
    readonly header: { readonly id: string; readonly parentSession?: string }
  }
  const onEvent = (session: SeenSession, event: { type: string; seq: number; data: JsonObject }): void => {
    const { id, parentSession } = session.header
    const { type, seq, data } = event
    end.tell({
      type: 'event',
      session: { id, ...(parentSession === undefined ? {} : { parentSession }) },
      event: { type, seq, data },
    })
  }
  ctx.on('session/event', onEvent, { global: true })
}

async function* answers(
  ctx: object,
  end: AgentEnd,
  { signal, ...request }: ModelRequest,
  next: () => Stream,
): AsyncGenerator<StreamChunk, void, undefined> {
  const { sessionId } = request
  const lineage = sessionId === undefined ? undefined : storedLineage(ctx, sessionId)
  const call = end.ask({ request, ...(lineage === undefined ? {} : { lineage }) })
  const onAbort = (): void => call.abort()
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    for (;;) {
      const reply = await call.pull()
      if (reply.type === 'end') return
      if (reply.type === 'throw') throw fromSent(reply.error)
      if (reply.type === 'next') {
        yield* next()
        return
      }
      yield reply.chunk
    }
  } finally {
    signal?.removeEventListener('abort', onAbort)
    call.abort()
  }
}

function noProvider(): Stream {
  throw new Error('no provider answers this route: its adapter is the replay')
}
