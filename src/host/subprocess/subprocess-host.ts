import fs from 'node:fs'

import { giveBack } from '../folders/give-back.ts'
import type { RunFolders } from '../folders/run-folders.ts'
import { readWorkspace } from '../folders/read-workspace.ts'
import { waitForFile } from '../folders/wait-for-file.ts'
import { readTree } from '../folders/walk.ts'
import type { Host, HostTimings, RunHost } from '../host.ts'
import type { SessionJournal } from '../journal.ts'
import { uncleanEnd } from '../unclean-end.ts'
import type { AgentProcess } from './agent-process.ts'
import { killLeftProcesses } from './left-processes.ts'
import type { RunChannel } from './run-channel.ts'

/** What a host is made of once its process runs. */
export interface SubprocessParts {
  readonly agent: AgentProcess
  readonly channel: RunChannel
  readonly folders: RunFolders
  readonly journal: SessionJournal
  readonly timings: HostTimings
  /** Reads along in the agent's logs, where it may not tell of them. */
  readonly logs?: Disposable
  readonly disposeTimeoutMs: number
  /** What is mounted, for messages. */
  readonly composition: string
  readonly signal: AbortSignal | undefined
}

/** A host whose agent is a process of its own, on the real disk. */
export class SubprocessHost implements RunHost {
  readonly cwd: string
  readonly stdio: Host['stdio']
  readonly journal: SessionJournal
  readonly failed: Promise<Error>
  readonly folders: RunFolders
  readonly timings: HostTimings
  readonly #parts: SubprocessParts
  #disposed: Promise<void> | undefined
  #released: Promise<void> | undefined

  constructor(parts: SubprocessParts) {
    this.#parts = parts
    this.cwd = parts.folders.cwd
    this.stdio = parts.agent.stdio
    this.journal = parts.journal
    this.failed = parts.agent.failed
    this.folders = parts.folders
    this.timings = parts.timings
  }

  get failure(): Error | undefined {
    return this.#parts.agent.failure
  }

  get isObserved(): boolean {
    return this.#parts.channel.isOpen
  }

  waitForFile(relative: string, deadline: AbortSignal): Promise<void> {
    return waitForFile(fs, `${this.cwd}/${relative}`, deadline)
  }

  diagnostics(): string {
    return this.#parts.agent.errors
  }

  dispose(): Promise<void> {
    return (this.#disposed ??= this.#dispose())
  }

  async #dispose(): Promise<void> {
    const { agent, channel, disposeTimeoutMs, signal, timings } = this.#parts
    const before = performance.now()
    try {
      await agent.leave(disposeTimeoutMs, signal)
    } finally {
      timings.dispose = performance.now() - before
      await endOf(agent, this.folders)
      await channel.close()
    }
    const { problem } = channel
    if (problem !== undefined) throw uncleanEnd(this.#parts.composition, problem)
  }

  logs(): Map<string, Buffer> {
    return readTree(this.folders.sessionsDisk, this.folders.sessions)
  }

  workspace(): Map<string, Buffer> {
    return readWorkspace(fs, this.cwd, this.folders.cwdAliases)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (this.#released ??= this.#release())
  }

  async #release(): Promise<void> {
    const { agent, channel, logs } = this.#parts
    logs?.[Symbol.dispose]()
    if (this.#disposed === undefined) {
      // The run has failed: nobody needs what the agent would still say.
      agent.endInput()
      await agent.terminate()
      await endOf(agent, this.folders)
    } else await this.#disposed.catch(() => undefined)
    await channel.close()
    await giveBack(this.folders)
  }
}

/** Ends whoever the agent has left behind. */
export async function endOf(agent: AgentProcess, folders: RunFolders): Promise<void> {
  killLeftProcesses([folders.real, folders.cwd])
  await agent.close()
}
