import path from 'node:path'

import { compareRun } from '../comparison/compare-run.ts'
import { SnapshotError } from '../errors.ts'
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
}

/**
 * Runs a scenario and compares it with its recording.
 *
 * @returns the file that was written, if one was
 * @throws SnapshotError `RUN_DIFFERS`, with both sides for the runner's diff; or whatever the run throws
 */
export async function runSuiteScenario({
  folder,
  options,
  signal,
  update,
}: SuiteRun): Promise<string | undefined> {
  const { composition, env, rules, timeouts, workspace } = options
  const scenario = await (update ? scenarioToUpdate(folder) : loadScenario(folder))
  const run = await runScenario({
    scenario,
    composition: isPath(composition)
      ? await findComposition(scenario, composition && pathOf(composition))
      : composition,
    drift: 'report',
    signal,
    ...(env === undefined ? {} : { env }),
    ...(rules === undefined ? {} : { rules }),
    ...(timeouts === undefined ? {} : { timeouts }),
    ...(workspace === undefined ? {} : { workspace }),
  })
  if (!update) {
    compareRun(run).assertEqual()
    return undefined
  }
  return await updateStdout(run, folder)
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
async function updateStdout(run: ScenarioRun, folder: string): Promise<string | undefined> {
  const text = keptStdout(run.scenario, run)
  const file = path.join(folder, stdoutFile)
  let written: readonly string[] = []
  if (run.brokenFacts.length === 0) {
    refuseSecrets(new Map([[file, text]]), process.env)
    written = await writeTogether(folder, new Map([[stdoutFile, text]]))
  }
  const expectedStdout = run.brokenFacts.length === 0 ? { expectedStdout: text } : {}
  const comparison = compareRun({ ...run, scenario: { ...run.scenario, ...expectedStdout } })
  try {
    comparison.assertEqual()
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error
    const { code, message, details, expected, actual } = error
    const done = written.length > 0 ? `${stdoutFile} was written.` : 'Nothing was written.'
    throw new SnapshotError(
      code,
      `${message}\n${done} An update writes that file alone, and only where facts hold. Logs and pins: acp-snapshot refresh ${folder}`,
      { cause: error, details, compared: { expected, actual } },
    )
  }
  return written.length > 0 ? file : undefined
}
