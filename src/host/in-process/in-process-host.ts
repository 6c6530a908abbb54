import { EventEmitter } from 'node:events'
import { inspect } from 'node:util'

import { ndJsonStream } from '@agentclientprotocol/sdk'

import { SnapshotError } from '../../errors.ts'
import type { JsonObject } from '../../session-log/types.ts'
import { withDeadline } from '../deadline.ts'
import type { Host } from '../host.ts'
import { SessionJournal, type LiveEvent } from '../journal.ts'
import type { Composition } from './composition.ts'
import type { WorkspaceSource } from './fill-workspace.ts'
import { findKernel } from './find-kernel.ts'
import { admitted } from './gate.ts'
import { installScopes } from './install.ts'
import type { ImportEntry, KernelContext } from './kernel.ts'
import { importNamed } from './modules.ts'
import { mount, type Mounted } from './mount.ts'
import { checkPluginShape } from './plugin-shape.ts'
import { runEnvironment } from './process/environment.ts'
import { runConfiguration } from './reconfigure.ts'
import { makeRunFolders, removeRunFolders, type RunFolders, type WorkspaceKind } from './run-folders.ts'
import { slot, type RunScope } from './scope.ts'
import { StdioPair } from './stdio-pair.ts'
import { waitForFile } from './wait-for-file.ts'
import { readTree } from './walk.ts'

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
  readonly mountTimeoutMs: number
  readonly disposeTimeoutMs: number
}

/** How long the parts of a run took, in ms. */
export interface HostTimings {
  import: number
  mount: number
  dispose: number
}

/** A host whose agent is mounted in this process. */
export interface InProcessHost extends Host {
  readonly folders: RunFolders
  readonly timings: HostTimings
  /** What the agent wrote to standard error, and errors that the kernel logged. */
  diagnostics(): string
  /** Disposes the composition: flushes, waits, and gives up after the deadline. What was written stays readable. */
  dispose(): Promise<void>
  /** Raw logs and whatever else lies in the folder of sessions, by relative path; after {@link dispose}. */
  logs(): Map<string, Buffer>
  /** The working directory as the agent left it, by relative path. */
  workspace(): Map<string, Buffer>
  /** Removes everything of the run from the real disk. Disposes first where that has not happened, and never throws. */
  [Symbol.asyncDispose](): Promise<void>
}

/** Mounts a composition in this process, in a world of its own. */
export async function startInProcess(options: InProcessOptions): Promise<InProcessHost> {
  installScopes()
  const started = performance.now()
  const importEntry = entryImporter(options.composition)
  const kernel = await findKernel(options.composition.folderUrl)
  // In list order and before the first mount, so that module state never depends on which run came first.
  for (const { name, from } of options.composition.imports) await importEntry(name, from)
  const imported = performance.now()

  const folders = await makeRunFolders(options.name, {
    kind: options.workspace,
    ...(options.workspaceSource === undefined ? {} : { source: options.workspaceSource }),
    ...(options.workspaceParent === undefined ? {} : { parent: options.workspaceParent }),
  })
  const pair = new StdioPair()
  const journal = new SessionJournal()
  const failure = Promise.withResolvers<Error>()
  const scope: RunScope = {
    key: folders.key,
    cwd: folders.cwd,
    home: folders.home,
    env: {},
    disk: folders.disk,
    stdio: pair.process,
    processEvents: new EventEmitter(),
    exit: code => failure.resolve(exited(code)),
    crash: (event, error) => {
      pair.process.stderr.write(`${inspect(error)}\n`)
      failure.resolve(crashed(event, error))
    },
  }
  slot.live.add(scope)
  const timings: HostTimings = { import: imported - started, mount: 0, dispose: 0 }

  let stream: unknown
  // Not before a plugin is given it: it takes standard input, which then can't be read from the process any more.
  const openStream = (): unknown => (stream ??= ndJsonStream(pair.agent.output, pair.agent.input))
  const start = (): Promise<Mounted> =>
    mount(kernel, options.composition, {
      importEntry,
      reconfigure: runConfiguration(folders, openStream),
      prepare: ctx => watchSessions(ctx, journal),
      mounted: ctx => options.mounted?.(ctx),
      deadlineMs: options.mountTimeoutMs,
    })
  let ended = false
  const endProcess = (): void => {
    if (ended) return
    ended = true
    try {
      slot.scopes.run(scope, () => scope.processEvents.emit('exit', 0))
    } finally {
      scope.processEvents.removeAllListeners()
      slot.live.delete(scope)
    }
  }
  let released: Promise<void> | undefined
  const release = (): Promise<void> => (released ??= releaseFolders())
  const releaseFolders = async (): Promise<void> => {
    try {
      endProcess()
    } catch {
      // Where the end has not come before, the run has failed of something else, which says more.
    }
    await removeRunFolders(folders)
  }
  let mounted: Mounted
  try {
    const values = { HOME: folders.home, TMPDIR: folders.temp, ...options.env(folders) }
    Object.assign(scope.env, runEnvironment(process.env, values))
    mounted = await admitted(async () => {
      const before = performance.now()
      const result = await slot.scopes.run(scope, start)
      timings.mount = performance.now() - before
      return result
    })
  } catch (error) {
    await release()
    throw error
  }

  let disposed: Promise<void> | undefined
  const dispose = (): Promise<void> => (disposed ??= disposeContext())
  const disposeContext = async (): Promise<void> => {
    const before = performance.now()
    try {
      await withDeadline(
        slot.scopes.run(scope, async () => {
          await mounted.ctx.fiber.dispose()
        }),
        options.disposeTimeoutMs,
        () =>
          `${options.composition.file}: the composition did not finish disposing. A plugin's clean-up never settles`,
      )
      endProcess()
    } finally {
      pair.endOutput()
      timings.dispose = performance.now() - before
    }
  }

  return {
    cwd: folders.cwd,
    stdio: pair.client,
    journal,
    failed: failure.promise,
    folders,
    timings,
    waitForFile: (relative, deadline) => waitForFile(folders.fs, `${folders.cwd}/${relative}`, deadline),
    diagnostics: () => [pair.errors, ...mounted.logged].filter(text => text !== '').join('\n'),
    dispose,
    logs: () => readTree(folders.disk, folders.sessions),
    workspace: () => readTree(folders.fs, folders.cwd),
    [Symbol.asyncDispose]: async () => {
      // Whoever disposed has had the error; where nobody did, the run has failed of something else, which says more.
      await dispose().catch(() => undefined)
      await release()
    },
  }
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

function exited(code: number | undefined): Error {
  return new SnapshotError(
    'STEP_FAILED',
    `the agent ended its process (exit code ${code ?? 0}) before the script was done. Look for process.exit in its plugins.`,
    { details: { exitCode: code } },
  )
}

function crashed(event: string, error: unknown): Error {
  return new SnapshotError(
    'STEP_FAILED',
    `the agent crashed (${event}): ${error instanceof Error ? error.message : String(error)}. ` +
      `Handle the error in the plugin that it comes from.`,
    { cause: error, details: { event } },
  )
}
