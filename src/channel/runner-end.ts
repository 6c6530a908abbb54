import { rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate } from 'node:timers/promises'

import { SnapshotError } from '../errors.ts'
import type { StreamChunk } from '../llm-replay/chunk.ts'
import type { ModelRequest } from '../llm-replay/engine.ts'
import type { SessionLineage } from '../llm-replay/lineage.ts'
import { channelVersion, fromAgent, type FromAgent, type ToAgent, type ToWaitingAgent } from './messages.ts'
import { readMessages, sendMessage } from './message-stream.ts'
import { toSent } from './sent-error.ts'

/** Who is asked and told at the run's end of a channel. */
export interface RunnerSide {
  /** Answers a model call; undefined where the provider is to. */
  answer(request: ModelRequest, lineage: SessionLineage | undefined): AsyncIterable<StreamChunk> | undefined
  /** Told of everything but calls, in the order it was sent. */
  note(message: Exclude<FromAgent, { type: 'call' | 'pull' | 'abort' }>): void
  /** Told where what came is no message. */
  broken(error: SnapshotError): void
}

/** The run's end of the channel to an agent in a process of its own. */
export class RunnerEnd {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly #path: string
  readonly #side: RunnerSide
  readonly #calls = new Map<number, OpenCall>()
  #connections = 0

  private constructor(server: Server, path: string, side: RunnerSide) {
    this.#server = server
    this.#path = path
    this.#side = side
  }

  /**
   * Waits for the agent's process to connect, which may do so more than once, or never.
   *
   * @param path - of the socket, at most 103 bytes long; a pipe's name on Windows
   */
  static async listen(path: string, side: RunnerSide): Promise<RunnerEnd> {
    const server = createServer()
    const end = new RunnerEnd(server, path, side)
    server.on('connection', socket => {
      end.#sockets.add(socket)
      socket.on('close', () => end.#sockets.delete(socket))
      // An agent that can ask and wait goes on over its first connection where there is nothing yet.
      const calls = end.#connections === 0 ? end.#calls : new Map<number, OpenCall>()
      end.#connections += 1
      converse(socket, side, { calls, waits: false })
    })
    const listening = Promise.withResolvers<undefined>()
    server.on('error', cause => {
      listening.reject(
        new SnapshotError(
          'USAGE',
          `${path}: the channel to the agent can't be opened there: ${cause.message}. A socket's path can be 103 bytes long: ` +
            'let TMPDIR name a folder with a shorter path.',
          { cause, details: { path } },
        ),
      )
    })
    server.listen(path, () => listening.resolve(undefined))
    await listening.promise
    return end
  }

  /** Takes a stream over which the agent's process asks for answers, and waits for them. */
  attach(stream: Duplex): void {
    converse(stream, this.#side, { calls: this.#calls, waits: true })
  }

  /** Closes it at once, whatever is under way. */
  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise<void>(resolve => this.#server.close(() => resolve()))
    rmSync(this.#path, { force: true })
  }
}

/**
 * Answers what comes over a stream.
 *
 * @param calls - the answers under way
 * @param waits - whether the agent's process does nothing while it waits: then what takes time is not waited for
 */
function converse(
  stream: Duplex,
  side: RunnerSide,
  { calls, waits }: { readonly calls: Map<number, OpenCall>; readonly waits: boolean },
): void {
  const answer = async (call: OpenCall | undefined): Promise<void> => {
    if (call === undefined) return
    const step = call.step()
    const message: ToWaitingAgent = await (waits
      ? Promise.race([step, setImmediate<ToWaitingAgent>({ type: 'later', id: call.id })])
      : step)
    if (message.type !== 'chunk' && message.type !== 'later') calls.delete(message.id)
    if (message.type !== 'later') call.taken()
    sendMessage(stream, message)
  }
  const take = (message: FromAgent): void => {
    switch (message.type) {
      case 'call': {
        const { id, request, lineage } = message
        const call = new OpenCall(id, request, answerOf => side.answer(answerOf, lineage))
        calls.set(id, call)
        void answer(call)
        return
      }
      case 'pull':
        void answer(calls.get(message.id))
        return
      case 'abort':
        calls.get(message.id)?.abort()
        calls.delete(message.id)
        return
      case 'hello':
        if (message.version !== channelVersion) side.broken(otherVersion(message.version))
        side.note(message)
        return
      case 'ready':
      case 'failed':
      case 'replay':
      case 'event':
      case 'disposed':
        side.note(message)
        return
    }
  }
  readMessages(stream, fromAgent, take, problem => side.broken(brokenChannel(problem)))
  // Whoever broke it off is told of elsewhere: the process's end says more.
  stream.on('error', () => undefined)
  stream.on('close', () => {
    for (const call of calls.values()) call.abort()
  })
}

/** An answer under way, which is read a chunk at a time. */
class OpenCall {
  readonly id: number
  readonly #abort = new AbortController()
  readonly #start: () => AsyncIterable<StreamChunk> | undefined
  #chunks: AsyncIterator<StreamChunk> | undefined
  #step: Promise<ToAgent> | undefined

  constructor(
    id: number,
    request: Omit<ModelRequest, 'signal'>,
    answer: (request: ModelRequest) => AsyncIterable<StreamChunk> | undefined,
  ) {
    this.id = id
    this.#start = () => answer({ ...request, signal: this.#abort.signal })
  }

  /** The next part of the answer: the same until it is {@link OpenCall.taken}. */
  step(): Promise<ToAgent> {
    return (this.#step ??= this.#next())
  }

  taken(): void {
    this.#step = undefined
  }

  async #next(): Promise<ToAgent> {
    const { id } = this
    try {
      this.#chunks ??= this.#start()?.[Symbol.asyncIterator]()
      if (this.#chunks === undefined) return { type: 'next', id }
      const next = await this.#chunks.next()
      return next.done === true ? { type: 'end', id } : { type: 'chunk', id, chunk: next.value }
    } catch (error) {
      return { type: 'throw', id, error: toSent(error) }
    }
  }

  abort(): void {
    this.#abort.abort()
    void this.#chunks?.return?.().catch(() => undefined)
  }
}

function brokenChannel(problem: string): SnapshotError {
  return new SnapshotError(
    'STEP_FAILED',
    `the agent's process sent something over the channel that is no message of it (${problem}). Use the same version of ` +
      'acp-snapshot in the agent as in the test.',
  )
}

function otherVersion(version: number): SnapshotError {
  return new SnapshotError(
    'STEP_FAILED',
    `the agent's process speaks version ${version} of the channel, and this is version ${channelVersion}. Use the same ` +
      'version of acp-snapshot in the agent as in the test.',
    { details: { version } },
  )
}
