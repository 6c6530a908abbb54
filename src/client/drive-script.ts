import { SnapshotError } from '../errors.ts'
import type { Host } from '../host/host.ts'
import type { InputScript, PermissionAnswer, Step } from '../scenario/index.ts'
import { connectClient } from './acp-client.ts'
import { watchForFailure } from './failure-watch.ts'
import type { OutputTap } from './frame-tap.ts'
import { performStep } from './perform-step.ts'
import { ScriptRun } from './script-run.ts'
import type { AgentResponse } from './script-run.ts'
import { toError } from './shorten.ts'

/** What {@link driveScript} takes. */
export interface DriveOptions {
  readonly host: Host
  readonly script: InputScript
  /** Opens a gate of the replayed streams; without it a `signal` step fails. */
  readonly openGate?: (name: string) => void
  /** Ends the run; its reason is thrown as it is. */
  readonly signal?: AbortSignal
  /** How long the agent may take to answer a request, in ms; 30000 by default. */
  readonly promptTimeoutMs?: number
  /** Called before each step. */
  readonly onStep?: (step: Step, index: number) => void
  /** Called once, before the first step, with the tap: it stays readable whatever becomes of the run. */
  readonly onConnect?: (tap: OutputTap) => void
}

/** What a script's run gives. */
export interface DriveResult {
  /** The agent's answers, in the order of the steps. */
  readonly responses: readonly AgentResponse[]
  /** The agent's standard output, which grows until the agent has ended it. */
  readonly stdout: OutputTap
  readonly permissionAnswersLeft: readonly PermissionAnswer[]
  /** The sessions that session/new returned, in order: the first is the primary. */
  readonly sessions: readonly string[]
  /** How the last prompt that was answered with a result ended. */
  readonly stopReason?: string
  /** Ends the agent's standard input and the client's end of the connection. Returns at once, never throws. */
  readonly close: () => void
}

/**
 * Connects to the host's agent and does every step of the script, in order. The agent is left running and connected:
 * whoever called closes the client first, then disposes the host. Where the run fails, the client is closed already.
 *
 * @throws SnapshotError `STEP_FAILED`, `DEADLINE_EXCEEDED`, `STDOUT_INVALID`, or what the host failed with. The message
 *   names the step, its op, what it waited for and what it saw last; `details` has them as data
 */
export async function driveScript(options: DriveOptions): Promise<DriveResult> {
  const { host, script, signal, promptTimeoutMs = 30_000 } = options
  const client = connectClient(host.stdio, script.permissionAnswers)
  using watch = watchForFailure({
    hostFailed: host.failed,
    impure: client.tap.impure,
    connection: client.closed,
    cancelled: signal,
  })
  const run = new ScriptRun({
    host,
    client,
    failed: watch.signal,
    promptTimeoutMs,
    openGate: options.openGate,
  })
  try {
    options.onConnect?.(client.tap)
    for (const [at, step] of script.steps.entries()) {
      options.onStep?.(step, at + 1)
      await doStep(run, step, at + 1, script.steps.length)
    }
  } catch (error) {
    client.close()
    throw signal?.aborted === true ? toError(signal.reason) : error
  }
  return {
    responses: run.responses,
    stdout: client.tap,
    permissionAnswersLeft: client.permissions.left,
    sessions: run.sessions,
    ...(run.stopReason !== undefined && { stopReason: run.stopReason }),
    close: () => client.close(),
  }
}

async function doStep(run: ScriptRun, step: Step, index: number, total: number): Promise<void> {
  try {
    throwIfFailed(run)
    await performStep(run, step, index)
    throwIfFailed(run)
  } catch (error) {
    throw failedStep(toError(error), step, index, total)
  }
}

// What went wrong while nothing was waited for: a stray line and the answer may come in one chunk.
function throwIfFailed({ parts: { client, failed } }: ScriptRun): void {
  failed.throwIfAborted()
  if (client.permissions.notOffered !== undefined) throw client.permissions.notOffered
}

function failedStep(error: Error, { op }: Step, step: number, total: number): SnapshotError {
  const known = error instanceof SnapshotError ? error : undefined
  return new SnapshotError(
    known?.code ?? 'STEP_FAILED',
    `step ${step} of ${total} (${op}): ${error.message}`,
    {
      cause: error,
      details: { ...known?.details, step, op },
    },
  )
}
