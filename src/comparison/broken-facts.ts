import type { ScenarioRun } from '../run-scenario.ts'
import { checkFacts, type Difference } from '../transcript/index.ts'

/** What facts are about. */
type FactualPart = Pick<ScenarioRun, 'scenario' | 'transcript' | 'modelCalls' | 'workspace' | 'stopReason'>

/** What a run breaks of its scenario's facts. */
export function brokenFacts({
  scenario,
  transcript,
  modelCalls,
  workspace,
  stopReason,
}: FactualPart): Difference[] {
  return checkFacts(scenario.facts, {
    modelCalls: modelCalls.length,
    logs: transcript.sessions.map(({ name, raw }) => ({ name, log: raw })),
    stopReason,
    workspace,
  })
}
