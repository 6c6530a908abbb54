import path from 'node:path'

import { SnapshotError } from './errors.ts'
import { findComposition, type Scenario } from './fixtures/index.ts'
import { loadComposition, type CompositionOptions } from './host/composition/composition.ts'
import { sharedTemp } from './host/folders/real-root.ts'
import type { RunFolders } from './host/folders/run-folders.ts'
import type { RunHost } from './host/host.ts'
import { startInProcess } from './host/in-process/in-process-host.ts'
import { sentComposition } from './host/subprocess/sent-composition.ts'
import { serveCommand } from './host/subprocess/serve-command.ts'
import { startSubprocess } from './host/subprocess/start-subprocess.ts'
import type { SubprocessHost } from './host/subprocess/subprocess-host.ts'
import type { ReplaySeat } from './replay-seat.ts'
import { runEnvironmentValues } from './run-environment.ts'
import type { AgentHost, RunScenarioOptions } from './run-options.ts'
import type { NormalizeContext } from './transcript/index.ts'

/** What a host is started for. */
export interface HostOrder {
  readonly options: RunScenarioOptions
  readonly scenario: Scenario
  readonly mode: 'replay' | 'record'
  readonly seat: ReplaySeat
}

/** Starts the agent where the options say. */
export async function startHost(order: HostOrder): Promise<RunHost> {
  const { host = 'in-process' } = order.options
  if (host === 'in-process') return await startHere(order)
  refuseMemory(order)
  return typeof host === 'string' ? await startServed(order) : await startOwn(order, host)
}

async function startHere(order: HostOrder): Promise<RunHost> {
  const { options, scenario, mode, seat } = order
  const composition = await loadComposition(await compositionOf(order), mode)
  return await startInProcess({
    ...common(order),
    composition: { ...composition, modules: { ...seat.modules, ...composition.modules } },
    workspace: options.workspace ?? scenario.settings.workspace,
    mounted: ctx => seat.installOver(ctx),
    network: mode === 'record' ? 'open' : 'refused',
  })
}

async function startServed(order: HostOrder): Promise<SubprocessHost> {
  const composition = await compositionOf(order)
  const { overlay } = composition
  const config = path.resolve(composition.config)
  return await startSubprocess({
    ...remote(order),
    command: serveCommand(config),
    composition: config,
    isServed: true,
    setup: {
      mode: order.mode,
      ...sentComposition({ ...composition, ...(overlay ? { overlay: path.resolve(overlay) } : {}) }),
    },
  })
}

async function startOwn(order: HostOrder, { command, args = [] }: AgentHost): Promise<SubprocessHost> {
  const { composition } = order.options
  if (typeof composition === 'object') {
    throw new SnapshotError(
      'USAGE',
      'composition says what is to be mounted, but a command of your own mounts what it likes. Leave it out, or use the ' +
        'host "subprocess".',
    )
  }
  return await startSubprocess({
    ...remote(order),
    // The process starts in the run's working directory: what is beside the caller would not be found from there.
    command: { command: command.includes(path.sep) ? path.resolve(command) : command, args },
    composition: command,
    isServed: false,
    setup: { mode: order.mode, patches: [] },
  })
}

async function compositionOf({ options: { composition }, scenario }: HostOrder): Promise<CompositionOptions> {
  if (typeof composition === 'object') return composition
  return { config: composition ?? (await findComposition(scenario)) }
}

function common({ options, scenario, mode }: HostOrder) {
  const { env = {}, host, timeouts, signal } = options
  const extra = typeof host === 'object' ? { ...env, ...host.env } : env
  return {
    name: scenario.name,
    ...(scenario.workspace === undefined ? {} : { workspaceSource: scenario.workspace }),
    ...workspaceParentOf(scenario),
    env: (folders: RunFolders) => runEnvironmentValues({ mode, scenario, folders, extra }),
    mountTimeoutMs: timeouts?.mount ?? 30_000,
    disposeTimeoutMs: timeouts?.dispose ?? 15_000,
    signal,
  }
}

function remote(order: HostOrder) {
  return {
    ...common(order),
    model: (folders: RunFolders) => {
      const context = { ...ownPaths(folders), sessionIds: [] }
      return order.seat.remote({ cwd: folders.cwd, context })
    },
  }
}

/** What normalisation has to know of a run's folders. */
export function ownPaths(folders: RunFolders): Omit<NormalizeContext, 'sessionIds' | 'jobIds' | 'rules'> {
  return {
    cwds: folders.cwdAliases,
    spillRoots: [folders.spill],
    homes: [folders.home],
    temps: [folders.temp, sharedTemp()],
    sessionRoots: [folders.sessions],
  }
}

function workspaceParentOf({ settings, suite }: Scenario): { workspaceParent?: string } {
  const { workspaceParent } = settings
  if (workspaceParent === undefined || suite === undefined) return {}
  return { workspaceParent: path.resolve(path.dirname(suite.file), workspaceParent) }
}

function refuseMemory({ options: { workspace } }: HostOrder): void {
  if (workspace !== 'memory') return
  throw new SnapshotError(
    'USAGE',
    'workspace is "memory", which only the in-process host has: a process of its own sees the real disk. Leave it out, or ' +
      'use the in-process host.',
  )
}
