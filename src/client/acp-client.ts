import { RequestError, client, methods, ndJsonStream } from '@agentclientprotocol/sdk'
import type { ClientConnection } from '@agentclientprotocol/sdk'
import type { Host } from '../host/host.ts'
import type { PermissionAnswer } from '../scenario/index.ts'
import { holdInput } from './agent-input.ts'
import { AgentMessages, sessionUpdate } from './agent-messages.ts'
import { tapOutput } from './frame-tap.ts'
import type { OutputTap } from './frame-tap.ts'
import { PermissionAnswers, permissionRequest } from './permission-answers.ts'

/** What the agent answered: a result, or a JSON-RPC error. */
export type Outcome =
  | { readonly ok: true; readonly result: unknown }
  | {
      readonly ok: false
      readonly error: { readonly code: number; readonly message: string; readonly data?: unknown }
    }

/** The client's end of one ACP connection. */
export interface AcpClient {
  readonly tap: OutputTap
  readonly messages: AgentMessages
  readonly permissions: PermissionAnswers
  /** Aborts when the connection has closed, with the reason. */
  readonly closed: AbortSignal
  /**
   * Sends a request. The promise stays pending where the connection closes first: whoever waits watches
   * {@link AcpClient.closed} too, and knows better why it did.
   */
  request(method: string, params: object): Promise<Outcome>
  /** Sends a notification; resolves when the agent has taken it. */
  notify(method: string, params: object): Promise<void>
  /** Ends the agent's standard input and stops listening. The tap goes on to the end of the output. Never throws. */
  close(): void
}

/** Connects to the agent of a host. Permission requests are answered from then on. */
export function connectClient(stdio: Host['stdio'], answers: readonly PermissionAnswer[]): AcpClient {
  const tap = tapOutput(stdio.output)
  const input = holdInput(stdio.input)
  const messages = new AgentMessages()
  const permissions = new PermissionAnswers(answers)
  const connection = client({ name: 'acp-snapshot' })
    .onNotification(methods.client.session.update, sessionUpdate, ({ params }) => messages.note(params))
    .onRequest(methods.client.session.requestPermission, permissionRequest, ({ params }) =>
      permissions.answer(params.options),
    )
    // The tap has held the line already: a limit here would only hide what came.
    .connect(ndJsonStream(input.writable, tap.readable, { maxMessageBytes: Number.MAX_SAFE_INTEGER }))

  return {
    tap,
    messages,
    permissions,
    closed: connection.signal,
    request: (method, params) => request(connection, method, params),
    notify: (method, params) => connection.agent.notify<object>(method, params),
    close: () => {
      input.end()
      connection.close()
    },
  }
}

async function request(connection: ClientConnection, method: string, params: object): Promise<Outcome> {
  try {
    return { ok: true, result: await connection.agent.request<unknown, object>(method, params) }
  } catch (error) {
    if (error instanceof RequestError) {
      const { code, message, data } = error
      return { ok: false, error: { code, message, ...(data !== undefined && { data }) } }
    }
    return new Promise<never>(() => undefined)
  }
}
