import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Duplex } from 'node:stream'

import { RunnerEnd } from '../../channel/runner-end.ts'
import { channelVersion, type ChannelSetup, type FromAgent } from '../../channel/messages.ts'
import { fromSent } from '../../channel/sent-error.ts'
import type { SnapshotError } from '../../errors.ts'
import type { StreamChunk } from '../../llm-replay/chunk.ts'
import type { ReplayConfig, ReplayProviderConfig } from '../../llm-replay/config.ts'
import type { ModelRequest } from '../../llm-replay/engine.ts'
import type { SessionLineage } from '../../llm-replay/lineage.ts'
import type { RunFolders } from '../folders/run-folders.ts'
import type { SessionJournal } from '../journal.ts'

/** What answers the model calls of another process. */
export interface RemoteModel {
  /** Routes to register where no adapter has them. */
  readonly routes: readonly string[]
  /** What the recordings tell of models. */
  readonly recorded: readonly ReplayProviderConfig[]
  /** Takes what the composition configures its replay with. */
  configure(config: Pick<ReplayConfig, 'paceMs' | 'drift'>): void
  /** The answer; undefined where the provider is to give it. To be asked for each call, in their order. */
  answer(request: ModelRequest, lineage: SessionLineage | undefined): AsyncIterable<StreamChunk> | undefined
}

/** What a channel is opened for. */
export interface RunChannelOptions {
  readonly folders: RunFolders
  readonly model: RemoteModel
  readonly journal: SessionJournal
  readonly setup: Pick<ChannelSetup, 'mode' | 'overlay' | 'patches' | 'syncFd'>
}

/** How long importing the modules and mounting took in the agent's process, ms. */
export type ReadyTimes = Pick<Extract<FromAgent, { type: 'ready' }>, 'importMs' | 'mountMs'>

/** What a run hears from its agent's process, beside standard output and standard error. */
export class RunChannel {
  /** Path of the setup file, which the agent's environment names. */
  readonly setupFile: string
  /** Resolves when the composition is active; rejects where it can't become so. */
  readonly ready: Promise<ReadyTimes>
  /** Resolves where what came over the channel is no message. Never rejects. */
  readonly broken: Promise<SnapshotError>
  readonly #ready = Promise.withResolvers<ReadyTimes>()
  readonly #broken = Promise.withResolvers<SnapshotError>()
  #end: RunnerEnd | undefined
  #isOpen = false
  #problem: string | undefined

  static async open(options: RunChannelOptions): Promise<RunChannel> {
    const channel = new RunChannel(options)
    await channel.#listen(options)
    return channel
  }

  private constructor({ folders, model, setup }: RunChannelOptions) {
    this.ready = this.#ready.promise
    this.broken = this.#broken.promise
    // Nobody need wait for it: a command of one's own may never tell.
    this.ready.catch(() => undefined)
    this.setupFile = path.join(folders.real, 'channel.json')
    const { cwd, sessions, spill } = folders
    const content: ChannelSetup = {
      version: channelVersion,
      socket: socketOf(folders),
      folders: { cwd, sessions, spill },
      routes: [...model.routes],
      recorded: [...model.recorded],
      ...setup,
    }
    writeFileSync(this.setupFile, JSON.stringify(content))
  }

  /** Whether the agent's process has come. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  /** What a plugin failed with while the composition was disposed. */
  get problem(): string | undefined {
    return this.#problem
  }

  /** Takes the stream over which the agent's process asks for answers, and waits for them. */
  attach(questions: Duplex): void {
    this.#end?.attach(questions)
  }

  async close(): Promise<void> {
    await this.#end?.close()
  }

  async #listen({ folders, model, journal }: RunChannelOptions): Promise<void> {
    this.#end = await RunnerEnd.listen(socketOf(folders), {
      answer: (request, lineage) => model.answer(request, lineage),
      note: message => {
        switch (message.type) {
          case 'hello':
            this.#isOpen = true
            return
          case 'ready':
            this.#ready.resolve(message)
            return
          case 'failed':
            this.#ready.reject(fromSent(message.error))
            return
          case 'replay':
            model.configure(message)
            return
          case 'event':
            journal.append(message.session, message.event)
            return
          case 'disposed':
            this.#problem = message.problem
            return
        }
      },
      broken: this.#broken.resolve,
    })
  }
}

/** Where a run listens. Windows has pipes by name. */
export function socketOf(
  { real, key }: Pick<RunFolders, 'real' | 'key'>,
  platform = process.platform,
): string {
  return platform === 'win32' ? `\\\\.\\pipe\\acp-snapshot-${process.pid}-${key}` : path.join(real, 's')
}
