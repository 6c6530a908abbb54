import { SnapshotError } from '../errors.ts'
import type { SessionFixture } from '../fixtures/index.ts'
import type { SessionTranscript, Transcript } from '../harvest.ts'
import type { RequestDrift } from '../llm-replay/index.ts'
import { byTime, timed } from './difference-time.ts'
import { headerDifferences } from './header-differences.ts'
import { runComparison, type RunComparison } from './run-comparison.ts'
import type { ScenarioRun } from '../run-scenario.ts'
import {
  compareIdentities,
  compareLogs,
  compareStdout,
  fixtureContext,
  normalizeExpectedStdout,
  normalizeSessionLog,
  type Difference,
  type IdentityPair,
  type NormalizeContext,
} from '../transcript/index.ts'
import type { SessionLog } from '../session-log/index.ts'

/**
 * Compares a run with the scenario's fixtures: standard output frame by frame, each log event by event, which ids go
 * together, request headers with their pins where the suite declares classes, facts, and what the recording holds that the
 * run did not use. What came about first is told first, as far as the run's logs have times.
 *
 * @throws SnapshotError with code `USAGE` where the scenario says nothing that a run could be compared with
 * @public
 */
export function compareRun(run: ScenarioRun): RunComparison {
  requireExpectations(run)
  const logs = comparedLogs(run)
  const stdout = comparedStdout(run)
  const differences = [
    ...run.drifts.map(drifted),
    ...headerDifferences(run),
    ...logs.map(({ difference }) => difference),
    ...compareIdentities({
      logs: logs.flatMap(log => identityPair(log, run.transcript)),
      stdout: stdout?.identity,
    }).map(difference => timed(difference, run)),
    stdout?.difference,
    ...run.brokenFacts,
    ...run.unconsumed.map(message => leftover('model script', message)),
    ...run.permissionAnswersLeft.map(({ kind }, at) =>
      leftover(
        'permission answers',
        `permissionAnswers: an answer ${JSON.stringify(kind)} (${at + 1} of those left) was not asked for`,
      ),
    ),
  ].filter(difference => difference !== undefined)
  return runComparison(run.scenario.name, differences.sort(byTime), {
    pinned: pinned(run),
    observed: run.observed,
  })
}

function requireExpectations({ scenario }: ScenarioRun): void {
  const { expectedStdout, facts, sessions, name } = scenario
  if (expectedStdout !== undefined || facts !== undefined || sessions.some(({ standIn }) => standIn !== true))
    return
  throw new SnapshotError(
    'USAGE',
    `the scenario ${JSON.stringify(name)} says nothing of what it expects. Give it a stdout.expected.jsonl, logs or ` +
      'facts.json (where it is an object: "stdout", "sessions" or "facts"), or look at the run itself.',
  )
}

/** A log on both sides, either of which may lack it. */
interface ComparedLog {
  readonly name: string
  readonly fixture: SessionFixture | undefined
  readonly live: SessionTranscript | undefined
  readonly difference: Difference | undefined
}

/** A log that a scenario without files does not give is not compared; nor is any where the primary's is not given. */
function comparedLogs(run: ScenarioRun): ComparedLog[] {
  const { scenario, transcript } = run
  if (scenario.sessions.every(({ standIn }, number) => number > 0 || standIn === true)) return []
  const fixtures = new Map(scenario.sessions.map(fixture => [fixture.name, fixture]))
  const lives = new Map(transcript.sessions.map(session => [session.name, session]))
  const names = [...new Set([...fixtures.keys(), ...lives.keys()])]
  return names.flatMap(name => {
    const fixture = fixtures.get(name)
    const live = lives.get(name)
    if (fixture?.standIn === true) return []
    const expected =
      fixture && normalizeSessionLog({ ...fixture.log, file: name }, contextOf(fixture.log, transcript))
    const difference = compareLogs(expected, live?.log)
    return [{ name, fixture, live, difference: difference && timed(difference, run) }]
  })
}

/** What a fixture is normalised with: what it has of its own, and the rules of the run. */
function contextOf(log: SessionLog, { context }: Transcript): NormalizeContext {
  return { ...fixtureContext(log), rules: context.rules ?? [] }
}

function identityPair(
  { name, fixture, live, difference }: ComparedLog,
  transcript: Transcript,
): IdentityPair<SessionLog>[] {
  if (fixture === undefined || live === undefined) return []
  return [
    {
      name,
      expected: { raw: fixture.log, context: contextOf(fixture.log, transcript) },
      actual: { raw: live.raw, context: transcript.context },
      equal: difference === undefined ? live.raw.events.length : Math.max(0, difference.index),
    },
  ]
}

function comparedStdout(
  run: ScenarioRun,
): { readonly difference: Difference | undefined; readonly identity: IdentityPair<string> } | undefined {
  const { scenario, transcript } = run
  const { expectedStdout: raw } = scenario
  if (raw === undefined) return undefined
  const { rules = [] } = transcript.context
  const expected: NormalizeContext = {
    cwds: [],
    sessionIds: scenario.sessions.map(({ log }) => log.header.id),
    rules,
  }
  const difference = compareStdout(normalizeExpectedStdout(raw, expected), transcript.stdout)
  return {
    difference: difference && timed(difference, run),
    identity: {
      name: 'stdout',
      expected: { raw, context: expected },
      actual: { raw: transcript.rawStdout, context: transcript.context },
      equal: difference?.index ?? Infinity,
    },
  }
}

/** Whether each log's request headers are compared with a pin. */
function pinned({ scenario, transcript }: ScenarioRun): boolean {
  return transcript.sessions.every(({ name }) => scenario.pins?.has(name) === true)
}

function drifted({ script, index, path, recorded, live, message, time }: RequestDrift): Difference {
  const difference = {
    surface: `model requests of ${script}`,
    index,
    path,
    expected: recorded,
    actual: live,
    message,
  }
  return time === undefined ? difference : { ...difference, time }
}

function leftover(surface: string, message: string): Difference {
  return { surface, index: -1, path: '', expected: 'used', actual: 'left', message }
}
