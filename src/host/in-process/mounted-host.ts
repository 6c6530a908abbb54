import { setImmediate, setTimeout as sleep } from 'node:timers/promises'

import { settledSoon, withDeadline } from '../deadline.ts'
import type { Host, HostTimings, RunHost } from '../host.ts'
import type { SessionJournal } from '../journal.ts'
import type { AgentWorld } from './agent-world.ts'
import type { Composition } from '../composition/composition.ts'
import type { Mounted } from '../composition/mount.ts'
import { readWorkspace } from '../folders/read-workspace.ts'
import { giveBack } from '../folders/give-back.ts'
import type { RunFolders } from '../folders/run-folders.ts'
import { uncleanEnd } from '../unclean-end.ts'
import { waitForFile } from '../folders/wait-for-file.ts'
import { readTree } from '../folders/walk.ts'

/** What a host is made of once everything is active. */
export interface HostParts {
  readonly composition: Composition
  readonly disposeTimeoutMs: number
  readonly signal: AbortSignal | undefined
  readonly folders: RunFolders
  readonly world: AgentWorld
  readonly journal: SessionJournal
  readonly mounted: Mounted
  readonly timings: HostTimings
}

/** A host whose composition is mounted. */
export class MountedHost implements RunHost {
  readonly isObserved = true
  readonly cwd: string
  readonly stdio: Host['stdio']
  readonly journal: SessionJournal
  readonly failed: Promise<Error>
  readonly folders: RunFolders
  readonly timings: HostTimings
  readonly #parts: HostParts
  #disposed: Promise<void> | undefined
  /** The disposal itself, whoever still waits for it. */
  #going: Promise<void> | undefined
  #released: Promise<void> | undefined

  constructor(parts: HostParts) {
    this.#parts = parts
    this.cwd = parts.folders.cwd
    this.stdio = parts.world.pair.client
    this.journal = parts.journal
    this.failed = parts.world.failed
    this.folders = parts.folders
    this.timings = parts.timings
  }

  get failure(): Error | undefined {
    return this.#parts.world.failure
  }

  waitForFile(relative: string, deadline: AbortSignal): Promise<void> {
    return waitForFile(this.folders.fs, `${this.cwd}/${relative}`, deadline)
  }

  diagnostics(): string {
    const { world, mounted } = this.#parts
    return [world.pair.errors, ...mounted.logged].filter(text => text !== '').join('\n')
  }

  dispose(): Promise<void> {
    return (this.#disposed ??= this.#dispose())
  }

  async #dispose(): Promise<void> {
    const { world, mounted, composition, disposeTimeoutMs, signal, timings } = this.#parts
    const logged = mounted.logged.length
    const gone = async (): Promise<void> => {
      // What the agent has put off to its next turn (a timer of 0 ms) is still its own doing.
      await sleep(1)
      await mounted.ctx.fiber.dispose()
      // Node tells of a rejection that nobody handles only when the turn is over.
      await setImmediate()
    }
    const late = (): string =>
      `${composition.file}: the composition did not finish disposing. Look for the plugin whose clean-up never settles, or allow it more time`
    try {
      await timed(timings, 'dispose', () =>
        withDeadline((this.#going = world.run(gone)), disposeTimeoutMs, late, signal),
      )
      world.end()
    } finally {
      world.pair.endOutput()
    }
    const [failed] = mounted.logged.slice(logged)
    if (failed !== undefined) throw uncleanEnd(composition.file, failed)
  }

  logs(): Map<string, Buffer> {
    return readTree(this.folders.sessionsDisk, this.folders.sessions)
  }

  workspace(): Map<string, Buffer> {
    return readWorkspace(this.folders.fs, this.cwd, this.folders.cwdAliases)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Whoever disposed has had the error; where nobody did, the run has failed of something else, which says more.
    await this.dispose().catch(() => undefined)
    // An abort ends the wait for the composition, but its folders must not go before it.
    if (this.#parts.signal?.aborted === true) await settledSoon(this.#going)
    await (this.#released ??= release(this.#parts.world, this.folders))
  }
}

/** Ends the agent's process and removes everything of its run from the real disk. Never throws. */
export async function release(world: AgentWorld | undefined, folders: RunFolders): Promise<void> {
  try {
    world?.end()
  } catch {
    // Where the end has not come before, the run has failed of something else, which says more.
  }
  await giveBack(folders)
}

/** Does a part of a run and notes how long it took. */
export async function timed<T>(
  timings: HostTimings,
  part: keyof HostTimings,
  work: () => Promise<T>,
): Promise<T> {
  const before = performance.now()
  try {
    return await work()
  } finally {
    timings[part] = performance.now() - before
  }
}
