import { abortableStream } from '../llm-replay/abortable-stream.ts'
import { attachModel, type Attachment } from '../llm-replay/attach.ts'
import type { StreamChunk } from '../llm-replay/chunk.ts'
import type { ReplayConfig } from '../llm-replay/config.ts'
import type { ModelRequest } from '../llm-replay/engine.ts'
import { storedLineage } from '../llm-replay/live-sessions.ts'
import { watchSessions } from '../host/watch-sessions.ts'
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
export function relayEvents(ctx: object, end: AgentEnd): void {
  watchSessions(ctx, (session, { type, seq, data }) => {
    end.tell({ type: 'event', session, event: { type, seq, data } })
  })
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
