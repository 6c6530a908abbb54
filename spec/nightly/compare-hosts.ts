import { compareRun, runScenario, type Scenario, type ScenarioRun } from '../../src/index.ts'

/** How a scenario came out in both hosts. */
export interface HostComparison {
  readonly name: string
  /** What differs, between the hosts or from the recording; empty where nothing does. */
  readonly problems: readonly string[]
  /** From start to end of the run, ms. */
  readonly ms: { readonly inProcess: number; readonly subprocess: number }
}

/** Runs a scenario in this process and in one of its own. Their transcripts are to be equal, to the byte. */
export async function compareHosts(scenario: Scenario): Promise<HostComparison> {
  const here = await timedRun(scenario, 'in-process')
  const there = await timedRun(scenario, 'subprocess')
  const expected = textsOf(here.run)
  const actual = textsOf(there.run)
  const names = [...new Set([...expected.keys(), ...actual.keys()])]
  return {
    name: scenario.name,
    problems: [
      ...names
        .filter(name => expected.get(name) !== actual.get(name))
        .map(name => `${name} is not the same in both hosts`),
      ...[here, there].map(({ run }) => compareRun(run).report()).filter(report => report !== ''),
    ],
    ms: { inProcess: here.ms, subprocess: there.ms },
  }
}

async function timedRun(
  scenario: Scenario,
  host: 'in-process' | 'subprocess',
): Promise<{ readonly run: ScenarioRun; readonly ms: number }> {
  const started = performance.now()
  const run = await runScenario({ scenario, host, drift: 'report' })
  return { run, ms: performance.now() - started }
}

/** All that a run says, by what it is called. */
function textsOf({ transcript, stopReason, modelCalls, unconsumed }: ScenarioRun): Map<string, string> {
  const calls = modelCalls.map(({ script, index }) => `${script} ${index}`).sort()
  return new Map([
    ['standard output', transcript.stdout],
    ...transcript.sessions.map(({ name, text }) => [name, text] as const),
    ['the stop reason', String(stopReason)],
    ['the list of model calls', calls.join('\n')],
    ['what was left unused', unconsumed.join('\n')],
  ])
}
