import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'

import { SnapshotError } from '../errors.ts'
import {
  channelSetup,
  channelVariable,
  channelVersion,
  toAgent,
  type ChannelSetup,
  type FromAgent,
  type ToAgent,
} from './messages.ts'
import { readMessages, sendMessage } from './message-stream.ts'
import { SyncLine } from './sync-line.ts'

/** One model call that the other side answers. */
export interface AskedCall {
  /** Asks for the next part of the answer; rejects where the other side is gone. */
  pull(): Promise<ToAgent>
  /** Nobody reads on. A pull under way ends with `end`. */
  abort(): void
}

/** The agent's end of the channel between a run and an agent in a process of its own. */
export class AgentEnd {
  readonly setup: ChannelSetup
  readonly #socket: Socket
  readonly #sync: SyncLine | undefined
  readonly #pulls = new Map<number, PromiseWithResolvers<ToAgent>>()
  #calls = 0
  #gone: Error | undefined

  /** Resolves when the run has closed its end, or is gone. Never rejects. */
  readonly closed: Promise<undefined>

  /**
   * Takes the channel that the environment names, and takes its name out of there: tools of the agent must not see it.
   *
   * @returns undefined where there is none
   * @throws SnapshotError `USAGE` where what is named can't be used
   */
  static take(env: Record<string, string | undefined>): AgentEnd | undefined {
    const file = env[channelVariable]
    Reflect.deleteProperty(env, channelVariable)
    return file === undefined || file === '' ? undefined : new AgentEnd(readSetup(file))
  }

  constructor(setup: ChannelSetup) {
    this.setup = setup
    this.#sync = setup.syncFd === undefined ? undefined : new SyncLine(setup.syncFd)
    this.#socket = connect(setup.socket)
    const closed = Promise.withResolvers<undefined>()
    this.closed = closed.promise
    readMessages(
      this.#socket,
      toAgent,
      message => this.#take(message),
      problem => this.#socket.destroy(new Error(problem)),
    )
    this.#socket.on('error', error => this.#end(error))
    this.#socket.on('close', () => {
      this.#end(new Error('it was closed'))
      closed.resolve(undefined)
    })
    // An agent that has nothing else to do may end; while it waits for its model it has.
    this.#socket.unref()
    this.tell({ type: 'hello', version: channelVersion, pid: process.pid })
  }

  tell(message: FromAgent): void {
    sendMessage(this.#socket, message)
  }

  /** Asks for an answer to a model call. */
  ask(call: Omit<Extract<FromAgent, { type: 'call' }>, 'type' | 'id'>): AskedCall {
    const id = this.#calls++
    let isAsked = false
    let isOver = false
    return {
      pull: async () => {
        if (isOver) return { type: 'end', id }
        const message: FromAgent = isAsked ? { type: 'pull', id } : { type: 'call', id, ...call }
        isAsked = true
        const reply = await this.#answer(message, id)
        isOver ||= reply.type !== 'chunk'
        return reply
      },
      abort: () => {
        if (isOver) return
        isOver = true
        if (isAsked) (this.#sync ?? this).tell({ type: 'abort', id })
        this.#take({ type: 'end', id })
      },
    }
  }

  /** Closes it after all that has been told. */
  async close(): Promise<void> {
    this.#socket.ref()
    if (this.#gone === undefined) this.#socket.end()
    await this.closed
  }

  /** In the same turn, where that is possible. */
  #answer(message: FromAgent, id: number): ToAgent | Promise<ToAgent> {
    if (this.#sync === undefined) return this.#pull(message, id)
    const reply = this.#sync.ask(message)
    return reply.type === 'later' ? this.#pull({ type: 'pull', id }, id) : reply
  }

  #pull(message: FromAgent, id: number): Promise<ToAgent> {
    if (this.#gone !== undefined) return Promise.reject(this.#gone)
    const pull = Promise.withResolvers<ToAgent>()
    this.#pulls.set(id, pull)
    this.#socket.ref()
    this.tell(message)
    return pull.promise
  }

  #take(message: ToAgent): void {
    this.#pulls.get(message.id)?.resolve(message)
    this.#forget(message.id)
  }

  #forget(id: number): void {
    this.#pulls.delete(id)
    if (this.#pulls.size === 0) this.#socket.unref()
  }

  #end(cause: Error): void {
    this.#gone ??= new Error(`the channel to the run is gone: ${cause.message}`, { cause })
    for (const pull of this.#pulls.values()) pull.reject(this.#gone)
    this.#pulls.clear()
  }
}

function readSetup(file: string): ChannelSetup {
  try {
    const setup = channelSetup.parse(JSON.parse(readFileSync(file, 'utf8')))
    if (setup.version === channelVersion) return setup
    throw new Error(`version ${setup.version}, where ${channelVersion} is known`)
  } catch (cause) {
    throw new SnapshotError(
      'USAGE',
      `${channelVariable} names ${file}, which can't be used: ${(cause as Error).message}. A run sets this variable for ` +
        'the agent that it starts: use the same version of acp-snapshot in both, and leave it alone otherwise.',
      { cause, details: { file } },
    )
  }
}
