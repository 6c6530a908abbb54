import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

import { answerPayloads } from './answer-payloads.ts'
import { chooseAnswer } from './choose-answer.ts'
import type { ModelAnswer } from './model-answers-file.ts'
import { wireRequest, type WireRequest } from './wire-request.ts'

/** A model behind the streaming HTTP API of DeepSeek, on this machine. */
export interface ModelServer extends AsyncDisposable {
  /** What the adapter takes as its base URL. */
  readonly url: string
  /** In order of their coming. */
  readonly requests: readonly WireRequest[]
  /** Those that no answer was for: they get an error that nobody tries again. */
  readonly unanswered: readonly WireRequest[]
  /** Answers that nothing has asked for. */
  left(): readonly ModelAnswer[]
}

/** How a server is started. */
export interface ModelServerOptions {
  /** The only key that it takes; by default any. */
  readonly key?: string
}

/** Starts a server that gives each answer once: to the first request that it is for. */
export async function startModelServer(
  answers: readonly ModelAnswer[],
  { key }: ModelServerOptions = {},
): Promise<ModelServer> {
  const left = [...answers]
  const requests: WireRequest[] = []
  const unanswered: WireRequest[] = []
  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = wireRequest(await text(incoming), incoming.headers)
    requests.push(request)
    if (key !== undefined && request.key !== key) {
      refuse(response, 401, {
        message: 'Authentication Fails, Your api key is invalid',
        type: 'authentication_error',
      })
      return
    }
    const chosen = chooseAnswer(left, request)
    if (chosen === undefined) {
      unanswered.push(request)
      const asked = request.messages.at(-1)?.text.slice(0, 200)
      refuse(response, 400, { message: `no answer was written for this request; it ends with: ${asked}` })
      return
    }
    left.splice(left.indexOf(chosen), 1)
    await play(chosen, request, response)
  }
  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: unknown) => {
      // Whoever has gone away hears no more of it.
      if (response.destroyed || response.headersSent) response.destroy()
      else refuse(response, 400, { message: String(error) })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    unanswered,
    left: () => left,
    [Symbol.asyncDispose]: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function play(answer: ModelAnswer, request: WireRequest, response: ServerResponse): Promise<void> {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const pause = async (ms: number): Promise<void> => {
    if (ms > 0) await sleep(ms, undefined, { signal: gone.signal })
  }
  const { fail, delayMs = 0, firstByteDelayMs = 0 } = answer
  await pause(firstByteDelayMs)
  if (fail !== undefined && 'status' in fail) {
    const {
      status,
      message = `the model is not to be had (${status})`,
      code,
      type,
      retryAfter,
      requestId,
    } = fail
    if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter)
    if (requestId !== undefined) response.setHeader('x-request-id', requestId)
    refuse(response, status, { message, code, type })
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
  response.flushHeaders()
  const send = async (payload: string): Promise<void> => {
    await pause(delayMs)
    if (!response.write(`data: ${payload}\n\n`)) await once(response, 'drain', { signal: gone.signal })
  }
  for (const payload of answerPayloads(answer, request)) await send(payload)
  if (fail?.after === 'hang') {
    await once(response, 'close')
    return
  }
  if (fail?.after === 'cut') {
    // What was written is to arrive first.
    await new Promise(resolve => response.write(': the connection breaks\n\n', resolve))
    response.socket?.destroy()
    return
  }
  if (fail?.after === 'malformed') await send('{"choices":')
  if (fail === undefined) await send('[DONE]')
  response.end()
}

function refuse(response: ServerResponse, status: number, error: object): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ error }))
}
