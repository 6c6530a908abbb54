import path from 'node:path'

import { compareRun } from '../compare-run.ts'
import { SnapshotError } from '../errors.ts'
import { findScenarios } from '../fixtures/find-scenarios.ts'
import { findComposition, loadScenario } from '../fixtures/index.ts'
import { runScenario } from '../run-scenario.ts'
import type { Difference } from '../transcript/index.ts'
import { describeError } from './describe-error.ts'

/** What `run` is called with. */
export interface RunCommand {
  readonly folders: readonly string[]
  readonly composition?: string
  readonly drift?: 'error' | 'report'
  readonly json: boolean
  readonly color: boolean
  readonly signal: AbortSignal | undefined
}

/** How one scenario came out. */
interface Outcome {
  readonly scenario: string
  readonly folder: string
  readonly result: 'equal' | 'different' | 'failed'
  readonly ms: number
  readonly differences: readonly Difference[]
  readonly error?: { readonly code: string; readonly message: string }
  /** What is shown below the line. */
  readonly report: string
}

/** Runs scenarios one after the other and compares each with its recording. Gives the exit code. */
export async function runCommand(command: RunCommand, print: (line: string) => void): Promise<number> {
  const folders = (await Promise.all(command.folders.map(folder => findScenarios(folder)))).flat()
  const outcomes: Outcome[] = []
  for (const folder of new Set(folders.map(folder => path.resolve(folder)))) {
    const outcome = await runOne(folder, command)
    outcomes.push(outcome)
    if (!command.json) printOutcome(outcome, print)
  }
  const failed = outcomes.filter(outcome => outcome.result !== 'equal')
  if (command.json) {
    print(
      JSON.stringify(
        {
          equal: failed.length === 0,
          scenarios: outcomes.map(outcome => ({ ...outcome, report: undefined })),
        },
        null,
        2,
      ),
    )
  } else {
    const ms = outcomes.reduce((sum, outcome) => sum + outcome.ms, 0)
    print(`${outcomes.length - failed.length} of ${outcomes.length} scenarios equal, ${Math.round(ms)} ms`)
  }
  return failed.length === 0 ? 0 : 1
}

async function runOne(folder: string, { composition, drift, color, signal }: RunCommand): Promise<Outcome> {
  const started = performance.now()
  const facts = { scenario: path.basename(folder), folder }
  const ms = (): number => Math.round((performance.now() - started) * 10) / 10
  try {
    const scenario = await loadScenario(folder)
    const run = await runScenario({
      scenario,
      composition: await findComposition(scenario, composition),
      ...(drift === undefined ? {} : { drift }),
      ...(signal === undefined ? {} : { signal }),
    })
    const comparison = compareRun(run)
    const result = comparison.equal ? 'equal' : 'different'
    return {
      ...facts,
      result,
      ms: ms(),
      differences: comparison.differences,
      report: comparison.report({ color }),
    }
  } catch (error) {
    signal?.throwIfAborted()
    const message = describeError(error)
    const code = error instanceof SnapshotError ? error.code : 'UNEXPECTED'
    return {
      ...facts,
      result: 'failed',
      ms: ms(),
      differences: [],
      error: { code, message },
      report: message,
    }
  }
}

function printOutcome(outcome: Outcome, print: (line: string) => void): void {
  const marks = { equal: 'ok  ', different: 'DIFF', failed: 'FAIL' }
  print(`${marks[outcome.result]} ${outcome.scenario}  ${outcome.ms} ms`)
  if (outcome.report !== '') print(outcome.report.replace(/^/gm, '     '))
}
