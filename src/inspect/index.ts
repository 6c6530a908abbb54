export { inspectCorpus } from './inspect-corpus.ts'
export { inspectScenario } from './inspect-scenario.ts'
export type {
  InspectedCall,
  InspectedCompaction,
  InspectedCorpus,
  InspectedError,
  InspectedFile,
  InspectedFlags,
  InspectedHeader,
  InspectedLineage,
  InspectedPlace,
  InspectedProblem,
  InspectedScenario,
  InspectedSession,
  InspectedStep,
  InspectedToolCall,
  InspectedTotals,
  InspectedTurn,
  UsageTotals,
} from './types.ts'
