import { ndJsonStream } from '@agentclientprotocol/sdk'

import type { JsonObject } from '../../session-log/types.ts'
import { SessionJournal, type LiveEvent } from '../journal.ts'
import { AgentWorld } from './agent-world.ts'
import type { Composition } from '../composition/composition.ts'
import type { WorkspaceSource } from '../folders/fill-workspace.ts'
import { findKernel } from '../composition/find-kernel.ts'
import { admitted } from './gate.ts'
import { installScopes } from './install.ts'
import type { ImportEntry, Kernel, KernelContext } from '../composition/kernel.ts'
import { importNamed } from '../composition/modules.ts'
import { mount, type Mounted, type MountOptions } from '../composition/mount.ts'
import { MountedHost, release, timed, type HostTimings, type InProcessHost } from './mounted-host.ts'
import { checkPluginShape } from '../composition/plugin-shape.ts'
import { runConfiguration } from '../composition/reconfigure.ts'
import { makeRunFolders, type RunFolders, type WorkspaceKind } from '../folders/run-folders.ts'
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
export async function startInProcess(options: InProcessOptions): Promise<InProcessHost> {
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
      prepare: ctx => watchSessions(ctx, journal),
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

/** Imports the kernel, then every module in list order, so that module state never depends on which run came first. */
async function importAll(composition: Composition, importEntry: ImportEntry): Promise<Kernel> {
  const kernel = await findKernel(composition.folderUrl)
  for (const { name, from } of composition.imports) await importEntry(name, from)
  return kernel
}

/** Not before a plugin asks: the stream takes standard input, which then can't be read from the process any more. */
function streamOf(pair: StdioPair): () => unknown {
  let stream: unknown
  return () => (stream ??= ndJsonStream(pair.agent.output, pair.agent.input))
}

function entryImporter(composition: Composition): ImportEntry {
  return async (name, from) => {
    const named = composition.imports.find(entry => entry.name === name && entry.from === from)
    const module = Object.hasOwn(composition.modules, name)
      ? composition.modules[name]
      : await importNamed(name, from, named?.file ?? composition.file)
    checkPluginShape(module, name)
    return module
  }
}

function watchSessions(ctx: KernelContext, journal: SessionJournal): void {
  interface SeenSession {
    readonly header: { readonly id: string; readonly parentSession?: string }
  }
  const onEvent = (session: SeenSession, event: { type: string; seq: number; data: JsonObject }): void => {
    const { id, parentSession } = session.header
    const seen: LiveEvent = event
    journal.append({ id, ...(parentSession === undefined ? {} : { parentSession }) }, seen)
  }
  ctx.on('session/event', onEvent, { global: true })
}
