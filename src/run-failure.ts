import { SnapshotError } from './errors.ts'
import type { Scenario } from './fixtures/index.ts'
import type { RunHost } from './host/host.ts'
import { agentLog } from './host/agent-log.ts'

/** A signal that aborts with whichever of two aborts first. */
export function firstFailure(own: AbortSignal, given: AbortSignal | undefined): AbortSignal {
  return given === undefined ? own : AbortSignal.any([own, given])
}

/** The error of a run, with the scenario's name before it and what the agent complained of behind it. */
export function failedRun(
  error: unknown,
  scenario: Scenario,
  host: RunHost,
  gatesAwaited: readonly string[],
): unknown {
  if (!(error instanceof SnapshotError)) return error
  const gates =
    gatesAwaited.length === 0
      ? ''
      : `\nA replayed stream waits for a signal: ${gatesAwaited.join(', ')}. Give it with a "signal" step that comes before the wait.`
  const log = agentLog(host.diagnostics(), error.message)
  const where = scenario.folder ?? scenario.name
  const prefix = [`${where}/`, `${where}:`].some(start => error.message.startsWith(start)) ? '' : `${where}: `
  return new SnapshotError(error.code, `${prefix}${error.message}${gates}${log}`, {
    cause: error,
    details: { ...error.details, scenario: scenario.name },
  })
}
