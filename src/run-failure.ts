import { inspect } from 'node:util'

import { SnapshotError } from './errors.ts'
import type { Scenario } from './fixtures/index.ts'
import type { InProcessHost } from './host/in-process/mounted-host.ts'

/** A signal that aborts with whichever of two aborts first. */
export function firstFailure(own: AbortSignal, given: AbortSignal | undefined): AbortSignal {
  return given === undefined ? own : AbortSignal.any([own, given])
}

/** The error of a run, with the scenario's name before it and what the agent complained of behind it. */
export function failedRun(
  error: unknown,
  scenario: Scenario,
  host: InProcessHost,
  gatesAwaited: readonly string[],
): unknown {
  if (!(error instanceof SnapshotError)) return error
  const gates =
    gatesAwaited.length === 0
      ? ''
      : `\nA replayed stream waits for a signal: ${gatesAwaited.join(', ')}. Give it with a "signal" step that comes before the wait.`
  // An agent logs what ended its turn, and there is nothing new in that.
  const diagnostics = [error.message, inspect(error.message).slice(1, -1)].reduce(
    (text, repeated) => text.replaceAll(repeated, '(the error above)'),
    host.diagnostics().trim(),
  )
  const log = diagnostics === '' ? '' : `\nThe agent logged:\n${lastLines(diagnostics, 20)}`
  const where = scenario.folder ?? scenario.name
  const prefix = [`${where}/`, `${where}:`].some(start => error.message.startsWith(start)) ? '' : `${where}: `
  return new SnapshotError(error.code, `${prefix}${error.message}${gates}${log}`, {
    cause: error,
    details: { ...error.details, scenario: scenario.name },
  })
}

function lastLines(text: string, count: number): string {
  return text
    .split('\n')
    .slice(-count)
    .map(line => `  ${line.slice(0, 400)}`)
    .join('\n')
}
