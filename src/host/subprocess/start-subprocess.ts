import { channelVariable } from '../../channel/messages.ts'
import { SnapshotError } from '../../errors.ts'
import { agentLog } from '../agent-log.ts'
import { withDeadline } from '../deadline.ts'
import type { WorkspaceSource } from '../folders/fill-workspace.ts'
import { makeRunFolders, type RunFolders } from '../folders/run-folders.ts'
import type { HostTimings } from '../host.ts'
import { SessionJournal } from '../journal.ts'
import { runEnvironment } from '../run-environment.ts'
import { AgentProcess, SYNC_FD, type AgentCommand } from './agent-process.ts'
import { followLogs } from './follow-logs.ts'
import { RunChannel, type RemoteModel, type RunChannelOptions } from './run-channel.ts'
import { giveBack } from '../folders/give-back.ts'
import { endOf, SubprocessHost } from './subprocess-host.ts'

/** What a subprocess host is started with. */
export interface SubprocessOptions {
  /** Keys the run's folders. */
  readonly name: string
  readonly command: AgentCommand
  /** What is mounted, for messages. */
  readonly composition: string
  /** Whether the command is the library's own: it tells when its composition is active, and of all that it logs. */
  readonly isServed: boolean
  /** What the working directory starts with. */
  readonly workspaceSource?: WorkspaceSource
  /** Folder that the working directory is made in. */
  readonly workspaceParent?: string
  /** Values of the process's environment, given the run's folders. */
  readonly env: (folders: RunFolders) => Readonly<Record<string, string>>
  /** What answers the model calls that come over the channel. */
  readonly model: (folders: RunFolders) => RemoteModel
  readonly setup: RunChannelOptions['setup']
  readonly mountTimeoutMs: number
  readonly disposeTimeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/** How long an agent that has told of its failure may take to go, ms. */
const LEAVES_WITHIN = 1000

/** Starts an agent in a process of its own: with its own folders, an environment of an allow-list, and a channel. */
export async function startSubprocess(options: SubprocessOptions): Promise<SubprocessHost> {
  const { name, workspaceSource, workspaceParent, disposeTimeoutMs, signal } = options
  const folders = await makeRunFolders(name, {
    kind: 'disk',
    logs: 'disk',
    ...(workspaceSource === undefined ? {} : { source: workspaceSource }),
    ...(workspaceParent === undefined ? {} : { parent: workspaceParent }),
  })
  const journal = new SessionJournal()
  const timings: HostTimings = { import: 0, mount: 0, dispose: 0 }
  let channel: RunChannel | undefined
  let agent: AgentProcess | undefined
  try {
    const asks = asksAndWaits(options)
    const setup = { ...options.setup, ...(asks ? { syncFd: SYNC_FD } : {}) }
    channel = await RunChannel.open({ folders, journal, model: options.model(folders), setup })
    const env = { ...options.env(folders), [channelVariable]: channel.setupFile }
    agent = new AgentProcess(options.command, folders, {
      env: runEnvironment(process.env, folders, env),
      asks,
    })
    if (agent.questions !== undefined) channel.attach(agent.questions)
    void channel.broken.then(error => agent?.giveUp(error))
    const { composition } = options
    const parts = { composition, agent, channel, folders, journal, timings, disposeTimeoutMs, signal }
    if (options.isServed) {
      await mounted(agent, channel, timings, options)
      return new SubprocessHost(parts)
    }
    const { sessions } = folders
    const opened = channel
    return new SubprocessHost({ ...parts, logs: followLogs(sessions, journal, () => !opened.isOpen) })
  } catch (error) {
    if (agent !== undefined) {
      await agent.terminate()
      await endOf(agent, folders)
    }
    await channel?.close()
    await giveBack(folders)
    throw agent === undefined ? error : withLog(error, agent.errors)
  }
}

function withLog(error: unknown, log: string): unknown {
  if (!(error instanceof SnapshotError)) return error
  const { code, message, details } = error
  return new SnapshotError(code, message + agentLog(log, message), { cause: error, details })
}

/** Whoever starts the agent's own process in between may not pass the descriptor on. Windows has no such thing. */
function asksAndWaits({ isServed }: SubprocessOptions): boolean {
  return isServed && process.platform !== 'win32'
}

/** Waits until the composition is active; what the process said of a failure is told with it. */
async function mounted(
  agent: AgentProcess,
  channel: RunChannel,
  timings: HostTimings,
  { mountTimeoutMs, signal }: SubprocessOptions,
): Promise<void> {
  const started = performance.now()
  const failed = agent.failed.then(error => {
    throw error
  })
  const late = (): string =>
    'the composition did not become active in its process. Look for a plugin whose start never settles, or allow it more ' +
    'time (timeouts.mount)'
  const ready = channel.ready.catch(async (error: unknown) => {
    // It goes by itself, and what it says of that is in its log: not that it was told to.
    await agent.leave(LEAVES_WITHIN, signal).catch(() => undefined)
    throw error
  })
  const { importMs } = await withDeadline(Promise.race([ready, failed]), mountTimeoutMs, late, signal)
  timings.import = importMs
  timings.mount = performance.now() - started - importMs
}
