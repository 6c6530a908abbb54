import { existsSync } from 'node:fs'
import path from 'node:path'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'

import { AgentEnd } from '../../channel/agent-end.ts'
import { relayEvents, relayModel } from '../../channel/relay.ts'
import { toSent } from '../../channel/sent-error.ts'
import type { Attachment } from '../../llm-replay/attach.ts'
import { replayModules } from '../../llm-replay/replay-modules.ts'
import { loadComposition, type Composition } from '../composition/composition.ts'
import { entryImporter, importAll, importTogether } from '../composition/import-all.ts'
import type { KernelContext } from '../composition/kernel.ts'
import { mount, type Mounted } from '../composition/mount.ts'
import { runConfiguration } from '../composition/reconfigure.ts'
import { withDeadline } from '../deadline.ts'
import { refuseNetwork } from './refuse-network.ts'

/** What {@link serve} takes. */
export interface ServeOptions {
  /** Path of the composition. */
  readonly config: string
  /** Ends the agent; so does the end of standard input. */
  readonly signal?: AbortSignal | undefined
}

/** How long the composition may take to become active, and to go, ms: whoever has started the process may be gone. */
const MOUNT_WITHIN = 120_000
const GO_WITHIN = 60_000

/**
 * Runs an agent in this process, on the real disk: mounts the composition with the real Loader and lets it speak over
 * standard input and output until its input ends.
 *
 * `DSH_SNAPSHOT=replay` answers its model from the recording that the other variables name; a run that has started the
 * process answers it over a channel instead. In both
 * nothing may be connected to. Without either the agent is live.
 *
 * @throws SnapshotError `COMPOSITION_FAILED` where the composition can't be mounted, or fails while it is disposed
 */
export async function serve({ config, signal }: ServeOptions): Promise<void> {
  const end = AgentEnd.take(process.env)
  try {
    await serveOver(end, config, signal)
  } catch (error) {
    end?.tell({ type: 'failed', error: toSent(error) })
    throw error
  } finally {
    await end?.close()
  }
}

async function serveOver(
  end: AgentEnd | undefined,
  config: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const mode = end?.setup.mode ?? (process.env.DSH_SNAPSHOT === 'replay' ? 'replay' : 'record')
  if (mode === 'record') {
    loadEnvironmentFile(path.dirname(path.resolve(config)))
    await serveIn(mode, { end, config, signal })
    return
  }
  const allowNetwork = refuseNetwork()
  try {
    await serveIn(mode, { end, config, signal })
  } finally {
    allowNetwork()
  }
}

/** What serves an agent. */
interface Service {
  readonly end: AgentEnd | undefined
  readonly config: string
  readonly signal: AbortSignal | undefined
}

async function serveIn(mode: 'replay' | 'record', { end, config, signal }: Service): Promise<void> {
  const started = performance.now()
  const { overlay, patches = [] } = end?.setup ?? {}
  const composition = await loadComposition(
    { config, ...(overlay === undefined ? {} : { overlay }), patches },
    mode,
  )
  const model = end === undefined ? await ownModel(mode) : remoteModel(end)
  const importEntry = entryImporter({ ...composition, modules: model.modules })
  await importTogether(composition, model.modules)
  const kernel = await importAll(composition, importEntry)
  const imported = performance.now()
  const mounted = await mount(kernel, composition, {
    importEntry,
    reconfigure: end === undefined ? (_plugin, given) => given : runConfiguration(end.setup.folders),
    prepare: ctx => {
      logErrors(ctx)
      if (end !== undefined) relayEvents(ctx, end)
    },
    mounted: ctx => model.installOver(ctx),
    deadlineMs: MOUNT_WITHIN,
    signal,
  })
  end?.tell({ type: 'ready', importMs: imported - started, mountMs: performance.now() - imported })
  await inputEnd(signal)
  await goAway(mounted, composition, end)
}

/** What answers the model, and the modules that a composition's entries get in place of the replay they name. */
export interface ServedModel {
  readonly modules: Readonly<Record<string, unknown>>
  /** Called when everything is active. */
  installOver(ctx: object): void
}

/** Loaded where it is needed: it takes longer than the rest. */
async function ownModel(mode: 'replay' | 'record'): Promise<ServedModel> {
  if (mode === 'record') return { modules: {}, installOver: () => undefined }
  const { localReplay } = await import('./local-replay.ts')
  return localReplay()
}

function remoteModel(end: AgentEnd): ServedModel {
  let attached: Attachment | undefined
  return {
    modules: replayModules((ctx, config) => (attached = relayModel(ctx, end, config))),
    installOver: ctx => {
      attached ??= relayModel(ctx, end)
      attached.settle()
    },
  }
}

/** As the harness does: keys of a developer lie beside the composition. */
function loadEnvironmentFile(folder: string): void {
  const file = path.join(folder, '.env')
  if (existsSync(file)) process.loadEnvFile(file)
}

/** Standard output is the protocol's. */
function logErrors(ctx: KernelContext): void {
  // Put in directly: an exporter that is registered goes before what it is to tell of.
  ctx.logger.exporters.set(-1, {
    export: ({ type, args }) => {
      if (type !== 'error') return
      const text = args.map(part => (part instanceof Error ? part.message : String(part))).join(' ')
      process.stderr.write(`${text}\n`)
    },
  })
}

/** Resolves when nothing can come any more, or when the process is told to end. */
async function inputEnd(signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const over = (): void => resolve(undefined)
  // Whoever reads it, the agent's transport, makes these come.
  for (const event of ['end', 'close', 'error']) process.stdin.once(event, over)
  signal?.addEventListener('abort', over, { once: true })
  if (signal?.aborted === true || process.stdin.readableEnded) over()
  await promise
}

async function goAway(
  { ctx, logged }: Mounted,
  { file }: Composition,
  end: AgentEnd | undefined,
): Promise<void> {
  const before = logged.length
  const gone = async (): Promise<void> => {
    // What the agent has put off to its next turn (a timer of 0 ms) is still its own doing.
    await sleep(1)
    await ctx.fiber.dispose()
    await setImmediate()
  }
  await withDeadline(gone(), GO_WITHIN, () => `${file}: the composition did not finish disposing`)
  const [problem] = logged.slice(before)
  end?.tell({ type: 'disposed', ...(problem === undefined ? {} : { problem }) })
}
