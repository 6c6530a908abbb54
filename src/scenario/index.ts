export type { CompositionCandidate, CompositionLookup } from './composition-candidates.ts'
export { compositionCandidates, compositionNotFound } from './composition-candidates.ts'
export type { CountFact, Facts, FactsInput, FileFact, TextFact, ToolErrorFact } from './facts.ts'
export { parseFacts } from './facts.ts'
export { innerPathProblem } from './inner-path.ts'
export type { InputScript, PermissionAnswer } from './input-script.ts'
export { parseInputScript } from './input-script.ts'
export type { FolderEntry, ScenarioFiles } from './inventory.ts'
export { inventory } from './inventory.ts'
export type { TextPosition } from './json-position.ts'
export { jsonPosition, positionAt } from './json-position.ts'
export type { JsonPath } from './json-scan.ts'
export { parseJson } from './parse-json.ts'
export type { RecordableFiles, RefreshableFiles, ReplayableFiles } from './require-files.ts'
export { requireRecordable, requireRefreshable, requireReplayable } from './require-files.ts'
export type { ScenarioSettings } from './settings.ts'
export { settingsOf } from './settings.ts'
export type {
  CancelStep,
  FileWait,
  InitializeStep,
  NewSessionExpectErrorStep,
  NewSessionStep,
  PromptAndCancelStep,
  PromptAndWaitForAgentMessageStep,
  PromptBlock,
  PromptContentStep,
  PromptExpectErrorStep,
  PromptStep,
  SignalStep,
  Step,
  StepInput,
  StepOp,
  WaitForEventAfterTurnEndStep,
  WaitForFileStep,
  WaitForGoalPhaseStep,
  WaitForInboxMessageStep,
  WaitForSubagentTurnEndStep,
  WaitForTitleAfterTurnEndStep,
  WaitForTurnEndStep,
  WaitForTurnStartStep,
} from './steps.ts'
export type { ChildPins, PinKind, ScenarioPin, Suite, SuiteScenario } from './suite.ts'
export { declaresClasses, parseSuite } from './suite.ts'
