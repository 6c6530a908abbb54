import { agent, methods, ndJsonStream, RequestError } from '@agentclientprotocol/sdk'
import type { AgentContext, RequestPermissionRequest } from '@agentclientprotocol/sdk'
import { ByteLog } from '../../src/client/byte-log.ts'
import type { Host } from '../../src/host/host.ts'
import { SessionJournal } from '../../src/host/journal.ts'
import type { JsonObject } from '../../src/session-log/types.ts'

type Kind = 'allow_once' | 'allow_always' | 'reject_once' | 'reject_always'
type StopReason = 'end_turn' | 'cancelled' | 'max_tokens'

/** What a prompt's handler may do. */
export interface AgentWorld {
  readonly sessionId: string
  /** Aborts when the session is cancelled. */
  readonly cancelled: AbortSignal
  readonly say: (text: string) => Promise<void>
  readonly update: (update: object) => Promise<void>
  readonly log: (type: string, data?: JsonObject, session?: { id: string; parentSession?: string }) => void
  readonly ask: (kinds: readonly Kind[]) => Promise<string>
  /** Writes straight to standard output. */
  readonly print: (text: string) => Promise<void>
  readonly touch: (path: string) => void
  /** The host reports that the agent is gone. */
  readonly fail: (error: Error) => void
  /** Ends standard output. */
  readonly exit: () => Promise<void>
  /** Breaks standard output. */
  readonly break: (error: Error) => Promise<void>
}

export type PromptHandler = (world: AgentWorld, prompt: readonly { type: string }[]) => Promise<StopReason>

/** A host with an agent in it: the protocol library's own agent side over two byte streams, and a real journal. */
export interface TestHost extends Host {
  /** Every request and notification the agent has had, in order. */
  readonly received: { readonly method: string; readonly params: unknown }[]
  /** What has come over standard input, frame by frame. */
  readonly wire: () => unknown[]
  /** Resolves when standard input has ended. */
  readonly inputEnded: Promise<void>
  readonly world: AgentWorld
}

/**
 * @param prompts - by the text of the prompt's first block
 * @param newSession - the answer to session/new
 */
export function startAgent(
  prompts: Readonly<Record<string, PromptHandler>> = {},
  newSession: (params: { additionalDirectories?: string[] }) => { sessionId: string } = () => ({
    sessionId: 's1',
  }),
): TestHost {
  const received: { method: string; params: unknown }[] = []
  const journal = new SessionJournal()
  const failed = Promise.withResolvers<Error>()
  const files = filesOfAgent()
  const inputEnd = Promise.withResolvers<undefined>()
  const input = new ByteLog()
  const toAgent = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      input.append(chunk)
      controller.enqueue(chunk)
    },
    flush: () => inputEnd.resolve(undefined),
  })
  const fromAgent = new TransformStream<Uint8Array, Uint8Array>()
  const stdout = fromAgent.writable.getWriter()
  const cancels = new Map<string, AbortController>()
  const seq = new Map<string, number>()

  const worldOf = (sessionId: string, client: () => AgentContext): AgentWorld => {
    const cancelled = new AbortController()
    cancels.set(sessionId, cancelled)
    const update = (body: object): Promise<void> =>
      client().notify<object>(methods.client.session.update, { sessionId, update: body })
    return {
      sessionId,
      cancelled: cancelled.signal,
      update,
      say: text => update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } }),
      log: (type, data = {}, session = { id: sessionId }) => {
        const next = seq.get(session.id) ?? 0
        seq.set(session.id, next + 1)
        journal.append(session, { type, seq: next, data })
      },
      ask: async kinds => {
        const options = kinds.map((kind, at) => ({ optionId: `${kind}#${at}`, kind, name: kind }))
        const request: RequestPermissionRequest = { sessionId, toolCall: { toolCallId: 't1' }, options }
        const { outcome } = await client().request(methods.client.session.requestPermission, request)
        return outcome.outcome === 'selected' ? outcome.optionId : outcome.outcome
      },
      print: text => stdout.write(new TextEncoder().encode(text)),
      touch: files.touch,
      fail: error => failed.resolve(error),
      exit: () => stdout.close(),
      break: error => stdout.abort(error),
    }
  }

  const connection = agent({ name: 'test-agent' })
    .onRequest(methods.agent.initialize, ({ method, params }) => {
      received.push({ method, params })
      return { protocolVersion: params.protocolVersion, agentCapabilities: {} }
    })
    .onRequest(methods.agent.session.new, ({ method, params }) => {
      received.push({ method, params })
      return newSession(params)
    })
    .onRequest(methods.agent.session.prompt, async ({ method, params, client }) => {
      received.push({ method, params })
      const [first] = params.prompt
      const handler = prompts[first?.type === 'text' ? first.text : '']
      if (handler === undefined)
        throw new RequestError(-32603, 'no such prompt', { known: Object.keys(prompts) })
      return {
        stopReason: await handler(
          worldOf(params.sessionId, () => client),
          params.prompt,
        ),
      }
    })
    .onNotification(methods.agent.session.cancel, ({ method, params }) => {
      received.push({ method, params })
      cancels.get(params.sessionId)?.abort()
    })
    .connect(ndJsonStream(new WritableStream({ write: chunk => stdout.write(chunk) }), toAgent.readable))

  return {
    cwd: '/agent/dir',
    stdio: { input: toAgent.writable, output: fromAgent.readable },
    journal,
    waitForFile: files.wait,
    failed: failed.promise,
    received,
    wire: () =>
      new TextDecoder()
        .decode(input.slice())
        .split('\n')
        .slice(0, -1)
        .map(line => JSON.parse(line) as unknown),
    inputEnded: inputEnd.promise,
    world: worldOf('s1', () => connection.client),
  }
}

/** Resolves when the signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

function filesOfAgent(): { touch: (path: string) => void; wait: Host['waitForFile'] } {
  const there = new Set<string>()
  const changed = new EventTarget()
  return {
    touch: path => {
      there.add(path)
      changed.dispatchEvent(new Event('change'))
    },
    wait: (path, deadline) =>
      new Promise((resolve, reject) => {
        if (path.startsWith('..')) throw new Error(`${path} is outside the working directory`)
        const look = (): void => {
          if (there.has(path)) resolve()
        }
        changed.addEventListener('change', look)
        deadline.addEventListener('abort', () => reject(deadline.reason as Error), { once: true })
        look()
      }),
  }
}
