import { SnapshotError } from './errors.ts'
import type { RequestDrift } from './llm-replay/index.ts'
import type { ScenarioRun } from './run-scenario.ts'
import {
  compareLogs,
  compareStdout,
  fixtureContext,
  formatReport,
  normalizeSessionLog,
  type Difference,
  type ReportOptions,
} from './transcript/index.ts'

/**
 * How a run stands to its recording.
 *
 * @public
 */
export interface RunComparison {
  readonly equal: boolean
  /** The first difference of each surface: standard output, each log, each model request, and what was left unused. */
  readonly differences: readonly Difference[]
  /** The differences laid out for a reader; empty where there are none. */
  report(options?: ReportOptions): string
}

/**
 * Compares a run with the scenario's fixtures: standard output frame by frame, each log event by event, and what the
 * recording holds that the run did not use.
 *
 * @throws SnapshotError with code `USAGE` where the scenario has no expected standard output
 * @public
 */
export function compareRun(run: ScenarioRun): RunComparison {
  const { scenario, transcript } = run
  if (scenario.expectedStdout === undefined) {
    throw new SnapshotError(
      'USAGE',
      `the scenario ${JSON.stringify(scenario.name)} says nothing of the standard output that it expects. ` +
        `Give it a stdout.expected.jsonl (where it is an object, "stdout", and "sessions" with the texts of the logs), or ` +
        'look at the run itself.',
    )
  }
  const differences = [
    compareStdout(scenario.expectedStdout, transcript.stdout),
    ...logDifferences(run),
    ...run.drifts.map(drifted),
    ...run.unconsumed.map(message => leftover('model script', message)),
    ...run.permissionAnswersLeft.map(({ kind }, at) =>
      leftover(
        'permission answers',
        `permissionAnswers: an answer ${JSON.stringify(kind)} (${at + 1} of those left) was not asked for`,
      ),
    ),
  ].filter(difference => difference !== undefined)
  return {
    equal: differences.length === 0,
    differences,
    report: options => formatReport(differences, options),
  }
}

/** Of a scenario without files, a log that is not given is not compared; nor is any where the primary's is not. */
function logDifferences({ scenario, transcript }: ScenarioRun): (Difference | undefined)[] {
  const { sessions } = scenario
  if (sessions[0]?.standIn === true) return []
  const expected = new Map(
    sessions.map(({ name, log }) => [name, normalizeSessionLog({ ...log, file: name }, fixtureContext(log))]),
  )
  const actual = new Map(transcript.sessions.map(({ name, log }) => [name, log]))
  const names = new Set([...expected.keys(), ...actual.keys()])
  for (const { name, standIn } of sessions) if (standIn === true) names.delete(name)
  return [...names].map(name => compareLogs(expected.get(name), actual.get(name)))
}

function drifted({ script, index, path, recorded, live, message }: RequestDrift): Difference {
  return { surface: `model requests of ${script}`, index, path, expected: recorded, actual: live, message }
}

function leftover(surface: string, message: string): Difference {
  return { surface, index: -1, path: '', expected: 'used', actual: 'left', message }
}
