import path from 'node:path'

import { compareRun } from '../comparison/compare-run.ts'
import { differenceError, notObserved } from '../comparison/run-comparison.ts'
import { findComposition, loadScenario } from '../fixtures/index.ts'
import { keptStdout } from '../fixtures/writing/kept-stdout.ts'
import { refuseSecrets } from '../fixtures/writing/refuse-secrets.ts'
import { writeTogether } from '../fixtures/writing/write-together.ts'
import { readPins } from '../fixtures/read-pins.ts'
import { runScenario, type ScenarioRun } from '../run-scenario.ts'
import { pathOf } from './paths.ts'
import type { SnapshotSuiteOptions } from './suite-options.ts'

const stdoutFile = 'stdout.expected.jsonl'

/** What a test gives to the scenario that it runs. */
export interface SuiteRun {
  readonly folder: string
  readonly options: SnapshotSuiteOptions
  readonly signal: AbortSignal
  /** Whether `stdout.expected.jsonl` is to be written where it differs. */
  readonly update: boolean
  /** Told of the file that was written, in a sentence. */
  readonly tell: (message: string) => Promise<unknown>
}

/**
 * Runs a scenario and compares it with its recording.
 *
 * @throws SnapshotError `RUN_DIFFERS`, with both sides for the runner's diff; or whatever the run throws
 */
export async function runSuiteScenario(suiteRun: SuiteRun): Promise<void> {
  const { folder, options, signal, update } = suiteRun
  const { composition, env, host, rules, timeouts, workspace } = options
  const scenario = await (update ? scenarioToUpdate(folder) : loadScenario(folder))
  const run = await runScenario({
    scenario,
    composition: isPath(composition)
      ? await findComposition(scenario, composition && pathOf(composition))
      : composition,
    drift: 'report',
    signal,
    ...(env === undefined ? {} : { env }),
    ...(host === undefined ? {} : { host }),
    ...(rules === undefined ? {} : { rules }),
    ...(timeouts === undefined ? {} : { timeouts }),
    ...(workspace === undefined ? {} : { workspace }),
  })
  if (!run.observed) await suiteRun.tell(notObserved)
  if (update) await updateStdout(run, suiteRun)
  else compareRun(run).assertEqual()
}

type Given = SnapshotSuiteOptions['composition']

function isPath(composition: Given): composition is Exclude<Given, object> | URL {
  return typeof composition !== 'object' || composition instanceof URL
}

/** It may lack the one file that is written. */
async function scenarioToUpdate(folder: string): ReturnType<typeof loadScenario> {
  const scenario = await loadScenario(folder, 'refresh')
  const pins = await readPins(scenario)
  return pins === undefined ? scenario : { ...scenario, pins }
}

/** A run that breaks its facts is no run to expect anything of. */
async function updateStdout(run: ScenarioRun, { folder, tell }: SuiteRun): Promise<void> {
  const holds = run.brokenFacts.length === 0
  const text = keptStdout(run.scenario, run)
  const file = path.join(folder, stdoutFile)
  if (holds) refuseSecrets(new Map([[file, text]]), process.env)
  const changed = holds && (await writeTogether(folder, new Map([[stdoutFile, text]]))).length > 0
  if (changed) await tell(`wrote ${file}`)
  const scenario = holds ? { ...run.scenario, expectedStdout: text } : run.scenario
  const error = differenceError(
    compareRun({ ...run, scenario }),
    `${changed ? `${stdoutFile} was written.` : 'Nothing was written.'} An update writes that file alone, and only where ` +
      `facts hold. Logs and pins: acp-snapshot refresh ${folder}`,
  )
  if (error !== undefined) throw error
}
