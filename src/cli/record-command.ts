import path from 'node:path'

import { SnapshotError } from '../errors.ts'
import { counted } from '../counted.ts'
import { pinsFirst } from '../fixtures/pins-first.ts'
import { findComposition, loadScenario } from '../fixtures/index.ts'
import { recordScenario } from '../fixtures/record-scenario.ts'
import { finishInterrupted } from '../fixtures/writing/finish-interrupted.ts'
import { totalCost, type ModelCost } from '../fixtures/writing/model-cost.ts'
import { printable, printableJson } from '../printable.ts'
import type { NormalizationRule } from '../transcript/index.ts'
import { errorFacts } from './describe-error.ts'
import { selectScenarios } from './select-scenarios.ts'

/** What `record` is called with. */
export interface RecordCommand {
  /** Folders, and names of scenarios in them. */
  readonly scenarios: readonly string[]
  readonly composition?: string
  readonly rules?: readonly NormalizationRule[]
  readonly json: boolean
  readonly signal: AbortSignal | undefined
}

/** How the recording of one scenario came out. */
interface Outcome {
  readonly scenario: string
  readonly folder: string
  readonly result: 'recorded' | 'unchanged' | 'skipped' | 'failed'
  readonly ms: number
  /** Names of the files that were written or removed. */
  readonly changed: readonly string[]
  /** Absent where the run itself failed. */
  readonly cost?: ModelCost
  readonly error?: { readonly code: string; readonly message: string }
}

/** Records scenarios one after the other, those that keep pins for others first. Gives the exit code. */
export async function recordCommand(command: RecordCommand, print: (line: string) => void): Promise<number> {
  const folders = await pinsFirst(await selectScenarios(command.scenarios))
  const outcomes: Outcome[] = []
  for (const folder of folders) {
    const outcome = await recordOne(folder, command)
    outcomes.push(outcome)
    if (!command.json) printOutcome(outcome, print)
  }
  const cost = totalCost(outcomes.flatMap(outcome => outcome.cost ?? []))
  const failed = outcomes.filter(({ result }) => result === 'failed')
  if (command.json) {
    print(printableJson(JSON.stringify({ ok: failed.length === 0, cost, scenarios: outcomes }, null, 2)))
  } else {
    const recorded = outcomes.filter(({ result }) => result === 'recorded' || result === 'unchanged')
    print(`${recorded.length} of ${outcomes.length} scenarios recorded: ${costWords(cost)}`)
  }
  return failed.length === 0 ? 0 : 1
}

async function recordOne(folder: string, command: RecordCommand): Promise<Outcome> {
  const { composition, rules, signal } = command
  const started = performance.now()
  const facts = { scenario: path.basename(folder), folder }
  const ms = (): number => Math.round(performance.now() - started)
  try {
    await finishInterrupted(folder)
    const scenario = await loadScenario(folder, 'record')
    if (scenario.settings.recorded === false) return { ...facts, result: 'skipped', ms: ms(), changed: [] }
    const { changed, cost } = await recordScenario({
      scenario: folder,
      composition: await findComposition(scenario, composition),
      ...(rules === undefined ? {} : { rules }),
      ...(signal === undefined ? {} : { signal }),
    })
    return { ...facts, result: changed.length === 0 ? 'unchanged' : 'recorded', ms: ms(), changed, cost }
  } catch (error) {
    signal?.throwIfAborted()
    const cost = error instanceof SnapshotError ? (error.details.cost as ModelCost | undefined) : undefined
    return {
      ...facts,
      result: 'failed',
      ms: ms(),
      changed: [],
      ...(cost === undefined ? {} : { cost }),
      error: errorFacts(error),
    }
  }
}

function printOutcome(
  { scenario, result, ms, changed, cost, error }: Outcome,
  print: (line: string) => void,
): void {
  const marks = { recorded: 'rec ', unchanged: 'same', skipped: 'skip', failed: 'FAIL' }
  const told = [
    result === 'skipped' ? 'suite.json says "recorded": false' : '',
    changed.join(', '),
    cost === undefined ? '' : costWords(cost),
  ].filter(words => words !== '')
  print(printable(`${marks[result]} ${scenario}  ${ms} ms  ${told.join('; ')}`.trimEnd()))
  if (error !== undefined) print(error.message.replace(/^/gm, '     '))
}

/** Such as "2 model calls, 1200 tokens in (800 from a cache), 56 out". */
function costWords({ calls, usage }: ModelCost): string {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage
  const cached = cacheReadTokens === 0 ? '' : ` (${cacheReadTokens} from a cache)`
  return `${counted(calls, 'model call')}, ${inputTokens + cacheReadTokens + cacheWriteTokens} tokens in${cached}, ${outputTokens} out`
}
