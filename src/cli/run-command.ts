import path from 'node:path'

import { compareRun } from '../comparison/compare-run.ts'
import { counted } from '../counted.ts'
import { findComposition, loadScenario } from '../fixtures/index.ts'
import { runScenario } from '../run-scenario.ts'
import { explainRun } from '../explain-run.ts'
import type { Difference, NormalizationChange, NormalizationRule } from '../transcript/index.ts'
import { errorFacts } from './describe-error.ts'
import { explanation } from './explanation.ts'
import { selectScenarios } from './select-scenarios.ts'

/** What `run` is called with. */
export interface RunCommand {
  /** Folders, and names of scenarios in them. */
  readonly scenarios: readonly string[]
  readonly composition?: string
  readonly drift?: 'error' | 'report'
  readonly host?: 'in-process' | 'subprocess'
  readonly rules?: readonly NormalizationRule[]
  /** Whether to say which rule of the normalisation changed what. */
  readonly explain: boolean
  /** Of one scenario's report. */
  readonly maxLines?: number
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
  /** Whether the request headers of all logs were compared with pins; absent where the run failed. */
  readonly pinned?: boolean
  /** Whether suite.json has named another composition than the command line. */
  readonly ownComposition?: boolean
  /** What normalisation changed, where that was asked for. */
  readonly normalized?: readonly NormalizationChange[]
  readonly error?: { readonly code: string; readonly message: string }
  /** What is shown below the line. */
  readonly report: string
}

/** Runs scenarios one after the other and compares each with its recording. Gives the exit code. */
export async function runCommand(command: RunCommand, print: (line: string) => void): Promise<number> {
  const outcomes: Outcome[] = []
  for (const folder of await selectScenarios(command.scenarios)) {
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
    const unpinned = outcomes.filter(({ pinned }) => pinned === false).length
    if (unpinned > 0) {
      print(
        `request headers are not pinned in ${counted(unpinned, 'scenario')}: prompt and tools were not compared (README: Pins)`,
      )
    }
    const declared = outcomes.filter(({ ownComposition }) => ownComposition === true).length
    if (declared > 0)
      print(`--composition was not used in ${counted(declared, 'scenario')}: suite.json names one`)
  }
  return failed.length === 0 ? 0 : 1
}

async function runOne(folder: string, command: RunCommand): Promise<Outcome> {
  const { composition, drift, host, rules, explain, maxLines, color, signal } = command
  const started = performance.now()
  const facts = { scenario: path.basename(folder), folder }
  const ms = (): number => Math.round((performance.now() - started) * 10) / 10
  try {
    const scenario = await loadScenario(folder)
    const file = await findComposition(scenario, composition)
    const run = await runScenario({
      scenario,
      composition: file,
      ...(drift === undefined ? {} : { drift }),
      ...(host === undefined ? {} : { host }),
      ...(rules === undefined ? {} : { rules }),
      ...(signal === undefined ? {} : { signal }),
    })
    const comparison = compareRun(run)
    const result = comparison.equal ? 'equal' : 'different'
    return {
      ...facts,
      result,
      ms: ms(),
      differences: comparison.differences,
      pinned: comparison.pinned,
      ...(composition !== undefined && path.resolve(composition) !== file ? { ownComposition: true } : {}),
      ...(explain ? { normalized: explainRun(run) } : {}),
      report: comparison.report({ color, ...(maxLines === undefined ? {} : { maxLines }) }),
    }
  } catch (error) {
    signal?.throwIfAborted()
    const failure = errorFacts(error)
    return { ...facts, result: 'failed', ms: ms(), differences: [], error: failure, report: failure.message }
  }
}

function printOutcome(outcome: Outcome, print: (line: string) => void): void {
  const marks = { equal: 'ok  ', different: 'DIFF', failed: 'FAIL' }
  print(`${marks[outcome.result]} ${outcome.scenario}  ${outcome.ms} ms`)
  const { report, normalized } = outcome
  for (const text of [report, normalized === undefined ? '' : explanation(normalized)]) {
    if (text !== '') print(text.replace(/^/gm, '     '))
  }
}
