import { brokenFacts } from './comparison/broken-facts.ts'
import { driveScript, type DriveResult } from './client/index.ts'
import { inlineScenario, loadScenario, type Scenario } from './fixtures/index.ts'
import type { RunHost } from './host/host.ts'
import { transcribe, type Transcript } from './harvest.ts'
import type { RequestDrift } from './llm-replay/index.ts'
import { checkNodeVersion } from './node-version.ts'
import { noGates, requireNoCalls } from './observation.ts'
import { ReplaySeat, type RunModelCall } from './replay-seat.ts'
import { failedRun, firstFailure } from './run-failure.ts'
import { checkRunOptions, type RunScenarioOptions } from './run-options.ts'
import { scenarioScripts } from './scenario-scripts.ts'
import { ownPaths, startHost } from './start-host.ts'
import type { PermissionAnswer } from './scenario/index.ts'
import type { Difference } from './transcript/index.ts'

/**
 * What a run gives.
 *
 * @public
 */
export interface ScenarioRun {
  readonly scenario: Scenario
  /** What the agent said and logged, normalised. */
  readonly transcript: Transcript
  /** Every request that the composition made to its model, with the entry that answered it. */
  readonly modelCalls: readonly RunModelCall[]
  /** The working directory as the agent left it, at most 256 MiB: content by path, with `/` between the parts. */
  readonly workspace: ReadonlyMap<string, Buffer>
  /** How the last prompt ended, as the protocol says it. */
  readonly stopReason: string | undefined
  /** Requests that differ from their recording, where `drift` is `report`. */
  readonly drifts: readonly RequestDrift[]
  /** What the recording holds and the run did not use; empty when all is well. */
  readonly unconsumed: readonly string[]
  /** What the run breaks of the scenario's facts, and each call of a tool that there is not; in every mode. */
  readonly brokenFacts: readonly Difference[]
  /** Permission answers that nothing asked for. */
  readonly permissionAnswersLeft: readonly PermissionAnswer[]
  /**
   * Whether the agent's model calls were seen. Where not (a command of your own with `channel: 'none'`), `modelCalls`, `drifts`
   * and `unconsumed` are empty and say nothing.
   */
  readonly observed: boolean
  /** What the agent wrote to standard error, and errors that its kernel logged. */
  readonly stderr: string
  readonly timings: RunTimings
}

/**
 * How long each part of a run took, ms.
 *
 * @public
 */
export interface RunTimings {
  /** Importing the modules that the composition names; next to nothing from the second run on. */
  readonly import: number
  /** From the composition's turn to be mounted until all of it is active. */
  readonly mount: number
  /** All steps of the script. */
  readonly drive: number
  readonly dispose: number
}

/**
 * Runs a scenario: mounts the composition in this process, in a world of its own, answers its model from the recording,
 * drives it by the input script, and returns what it said and logged.
 *
 * Nothing is compared and nothing is written: see `compareRun`.
 *
 * @throws SnapshotError: its `code` says which part failed, its message what to do
 * @public
 */
export async function runScenario(options: RunScenarioOptions): Promise<ScenarioRun> {
  checkNodeVersion()
  checkRunOptions(options)
  options.signal?.throwIfAborted()
  const mode = options.mode ?? 'replay'
  const scenario = await scenarioOf(options.scenario, mode)
  const { paceMs, drift, rules = [] } = options
  const scripts = mode === 'replay' ? scenarioScripts(scenario, rules) : []
  const seat = new ReplaySeat({ mode, scripts, sessions: scenario.sessions, paceMs, drift, rules })

  await using host = await startHost({ options, scenario, mode, seat })
  const started = performance.now()
  const drive = await driveAndDispose(host, scenario, seat, options)
  if (!host.isObserved) requireNoCalls(scenario, scripts, options)
  const transcript = transcribe({
    stdout: drive.stdout.text(),
    frameTimes: drive.stdout.frameTimes,
    files: host.logs(),
    primary: drive.sessions[0],
    bindings: seat.bindings(),
    before: mode === 'record' ? scenario.sessions : [],
    context: { ...ownPaths(host.folders), rules },
  })
  const run = {
    scenario,
    transcript,
    modelCalls: seat.calls,
    workspace: drive.workspace,
    stopReason: drive.stopReason,
  }
  return {
    ...run,
    brokenFacts: brokenFacts(run),
    drifts: seat.drifts(),
    unconsumed: host.isObserved ? seat.unconsumed() : [],
    permissionAnswersLeft: drive.permissionAnswersLeft,
    observed: host.isObserved,
    stderr: host.diagnostics(),
    timings: { ...host.timings, drive: performance.now() - started - host.timings.dispose },
  }
}

async function scenarioOf(
  given: RunScenarioOptions['scenario'],
  mode: 'replay' | 'record',
): Promise<Scenario> {
  if (typeof given === 'string') return await loadScenario(given, mode)
  return 'input' in given ? given : inlineScenario(given)
}

async function driveAndDispose(
  host: RunHost,
  scenario: Scenario,
  seat: ReplaySeat,
  options: RunScenarioOptions,
): Promise<DriveResult & Pick<ScenarioRun, 'workspace'>> {
  try {
    const drive = await driveScript({
      host,
      script: scenario.input,
      openGate: name => {
        if (!host.isObserved) throw noGates()
        seat.openGate(name)
      },
      promptTimeoutMs: options.timeouts?.prompt ?? 30_000,
      signal: firstFailure(seat.failed, options.signal),
    })
    drive.close()
    await host.dispose()
    await drive.stdout.ended
    const late = host.failure ?? drive.stdout.firstImpureLine
    if (late !== undefined) throw late
    return { ...drive, workspace: host.workspace() }
  } catch (error) {
    throw failedRun(error, scenario, host, seat.gatesAwaited())
  }
}
