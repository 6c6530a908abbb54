import { SnapshotError } from '../../errors.ts'
import { withDeadline } from '../deadline.ts'
import { makeRunFolders, type RunFolders } from '../folders/run-folders.ts'
import { runEnvironment } from '../run-environment.ts'
import { AgentProcess, type AgentCommand, type ProcessEnd } from './agent-process.ts'
import { giveBack } from '../folders/give-back.ts'
import { endOf } from './subprocess-host.ts'

/** What {@link runToEnd} takes. */
export interface EndingProcess {
  readonly command: AgentCommand
  /** Keys its folders. */
  readonly name: string
  /** Values of its environment, given its folders. */
  readonly env: (folders: RunFolders) => Readonly<Record<string, string>>
  readonly timeoutMs: number
  /** What to say when the time is over, given what it has written to standard error. */
  readonly late: (errors: string) => string
}

/** What a process that has ended has said. */
export interface EndedProcess {
  readonly end: ProcessEnd
  readonly output: string
  readonly errors: string
}

/** What it may write to standard output, in bytes. */
const MOST_OUTPUT = 64 * 2 ** 20

/**
 * Starts a process with folders of its own and an environment of an allow-list, without input, and waits for its end.
 * Nothing is left of it.
 *
 * @throws SnapshotError where it can't be started, goes on for too long, or writes too much
 */
export async function runToEnd(options: EndingProcess): Promise<EndedProcess> {
  const { command, name, timeoutMs, late } = options
  const folders = await makeRunFolders(name, { kind: 'disk', logs: 'disk' })
  try {
    const env = runEnvironment(process.env, folders, options.env(folders))
    const agent = new AgentProcess(command, folders, { env, asks: false })
    const output = readOutput(agent)
    try {
      agent.endInput()
      const over = Promise.race([agent.ended, agent.failed])
      await withDeadline(over, timeoutMs, () => late(agent.errors))
      if (agent.failure !== undefined) throw agent.failure
    } finally {
      await agent.terminate()
      // Whoever it has started and left may hold its output open.
      await endOf(agent, folders)
    }
    return { end: await agent.ended, output: await output, errors: agent.errors }
  } finally {
    await giveBack(folders)
  }
}

/** All that comes until the output ends, or is ended. */
async function readOutput(agent: AgentProcess): Promise<string> {
  const chunks: Uint8Array[] = []
  let total = 0
  try {
    for await (const chunk of agent.stdio.output) {
      total += chunk.byteLength
      if (total > MOST_OUTPUT) agent.giveUp(tooMuch())
      else chunks.push(chunk)
    }
  } catch {
    // The end says how it went.
  }
  return Buffer.concat(chunks).toString('utf8')
}

function tooMuch(): SnapshotError {
  return new SnapshotError(
    'COMPOSITION_FAILED',
    `a module floods standard output while it is imported: more than ${MOST_OUTPUT} bytes. Have it write nothing there.`,
    { details: { limit: MOST_OUTPUT } },
  )
}
