import { ndJsonStream } from '@agentclientprotocol/sdk'

import type { HostTimings, RunHost } from '../host.ts'
import { SessionJournal } from '../journal.ts'
import { AgentWorld } from './agent-world.ts'
import type { Composition } from '../composition/composition.ts'
import type { WorkspaceSource } from '../folders/fill-workspace.ts'
import { entryImporter, importAll } from '../composition/import-all.ts'
import { admitted } from './gate.ts'
import { installScopes } from './install.ts'
import type { KernelContext } from '../composition/kernel.ts'
import { mount, type Mounted, type MountOptions } from '../composition/mount.ts'
import { MountedHost, release, timed } from './mounted-host.ts'
import { runConfiguration } from '../composition/reconfigure.ts'
import { makeRunFolders, type RunFolders, type WorkspaceKind } from '../folders/run-folders.ts'
import { watchSessions } from '../watch-sessions.ts'
import type { StdioPair } from './stdio-pair.ts'

/** What an in-process host is started with. */
export interface InProcessOptions {
  readonly composition: Composition
  /** Keys the run's folders. */
  readonly name: string
  readonly workspace: WorkspaceKind
  /** What the working directory starts with. */
  readonly workspaceSource?: WorkspaceSource
  /** Folder that the working directory is made in. */
  readonly workspaceParent?: string
  /** Values of the run's environment, given its folders. */
  readonly env: (folders: RunFolders) => Readonly<Record<string, string>>
  /** Called inside the run once everything is active. */
  readonly mounted?: (ctx: KernelContext) => void
  /** Whether the agent may open connections; by default it may not. */
  readonly network?: 'open' | 'refused'
  readonly mountTimeoutMs: number
  readonly disposeTimeoutMs: number
  /** Ends the wait for the composition to be mounted or disposed; its reason is thrown. */
  readonly signal?: AbortSignal | undefined
}

/** Mounts a composition in this process, in a world of its own. */
export async function startInProcess(options: InProcessOptions): Promise<RunHost> {
  installScopes()
  const { composition } = options
  const timings: HostTimings = { import: 0, mount: 0, dispose: 0 }
  const importEntry = entryImporter(composition)
  const kernel = await timed(timings, 'import', () => importAll(composition, importEntry))

  const folders = await makeRunFolders(options.name, {
    kind: options.workspace,
    ...(options.workspaceSource === undefined ? {} : { source: options.workspaceSource }),
    ...(options.workspaceParent === undefined ? {} : { parent: options.workspaceParent }),
  })
  const journal = new SessionJournal()
  let world: AgentWorld | undefined
  let mounted: Mounted
  try {
    world = new AgentWorld(folders, options.env(folders), options.network ?? 'refused')
    const mountOptions: MountOptions = {
      importEntry,
      reconfigure: runConfiguration(folders, streamOf(world.pair)),
      prepare: ctx => watchSessions(ctx, (session, event) => journal.append(session, event)),
      mounted: ctx => options.mounted?.(ctx),
      deadlineMs: options.mountTimeoutMs,
      signal: options.signal,
    }
    const inside = world
    mounted = await admitted(() =>
      timed(timings, 'mount', () => inside.run(() => mount(kernel, composition, mountOptions))),
    )
  } catch (error) {
    await release(world, folders)
    throw error
  }
  const { disposeTimeoutMs, signal } = options
  return new MountedHost({ composition, disposeTimeoutMs, signal, folders, world, journal, mounted, timings })
}

/** Not before a plugin asks: the stream takes standard input, which then can't be read from the process any more. */
function streamOf(pair: StdioPair): () => unknown {
  let stream: unknown
  return () => (stream ??= ndJsonStream(pair.agent.output, pair.agent.input))
}
