import type { CountFact, Facts } from '../scenario/index.ts'
import { toolCallsOf, type SessionLog } from '../session-log/index.ts'
import { brokenFact, type PlacedCall } from './broken-fact.ts'
import { countBreach } from './count-fact.ts'
import type { Difference } from './difference.ts'
import { brokenFiles } from './file-facts.ts'
import { brokenFinalText } from './final-text.ts'
import { showValue } from './shorten.ts'
import { brokenExitCodes, brokenOnlyTools, brokenToolCounts, forbiddenErrors } from './tool-facts.ts'

/** What facts are checked against. */
export interface FactsEvidence {
  readonly modelCalls: number
  /** The run's raw logs, primary first. */
  readonly logs: readonly { readonly name: string; readonly log: SessionLog }[]
  readonly stopReason: string | undefined
  /** Content by path with `/`; undefined where nobody has looked at it: then facts of files are not checked. */
  readonly workspace?: ReadonlyMap<string, Uint8Array>
}

/**
 * What a run breaks of its facts, all of it, field by field in the order of {@link Facts}. A call of a tool that there is
 * not (`UNKNOWN_TOOL`) breaks them whatever they allow, and also where there are none.
 *
 * @returns differences of the surface `facts.json`, without a position
 */
export function checkFacts(facts: Facts | undefined, evidence: FactsEvidence): Difference[] {
  const { logs, workspace } = evidence
  const calls = logs.flatMap(({ name, log }) =>
    toolCallsOf(log).map((call): PlacedCall => ({ log: name, call })),
  )
  const { modelCalls, tools, onlyTools, toolErrors, exitCodes, finalText, stopReason, files } = facts ?? {}
  return [
    ...brokenModelCalls(modelCalls, evidence.modelCalls),
    ...brokenToolCounts(tools, calls),
    ...brokenOnlyTools(onlyTools, calls),
    ...forbiddenErrors(toolErrors, calls),
    ...brokenExitCodes(exitCodes, calls),
    ...brokenFinalText(finalText, logs[0]),
    ...brokenStopReason(stopReason, evidence.stopReason),
    ...brokenFiles(files, workspace),
  ]
}

function brokenModelCalls(expected: CountFact | undefined, actual: number): Difference[] {
  const breach = countBreach(expected, actual)
  return breach === undefined ? [] : [brokenFact(['modelCalls'], breach)]
}

function brokenStopReason(expected: string | undefined, actual: string | undefined): Difference[] {
  if (expected === undefined || expected === actual) return []
  const told = `expected ${showValue(expected, 80)}, found ${showValue(actual, 80)}`
  return [brokenFact(['stopReason'], { expected, actual, told })]
}
