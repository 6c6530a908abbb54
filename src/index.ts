/**
 * Snapshot tests for ACP agents: recorded sessions are replayed against the real agent, inside the test process.
 *
 * @packageDocumentation
 */
export { checkPlugins } from './check-plugins.ts'
export type { CheckPluginsOptions } from './check-plugins.ts'
export type { PluginKey } from './host/composition/plugin-shape.ts'
export type { PluginShape } from './host/subprocess/checked-composition.ts'
export { compareRun } from './comparison/compare-run.ts'
export type { RunComparison, RunComparisonJson } from './comparison/run-comparison.ts'
export { loadScenario } from './fixtures/index.ts'
export { recordScenario } from './fixtures/record-scenario.ts'
export type { RecordedScenario, RecordScenarioOptions } from './fixtures/record-scenario.ts'
export { refreshScenario } from './fixtures/refresh-scenario.ts'
export type { RefreshedScenario, RefreshScenarioOptions } from './fixtures/refresh-scenario.ts'
export type { EventCounts } from './fixtures/stabilize/stabilize-logs.ts'
export type { FileChange } from './fixtures/writing/changed-files.ts'
export type { ModelCost } from './fixtures/writing/model-cost.ts'
export type { FixtureProblem } from './fixtures/guards/problem.ts'
export { verifyFixtures } from './fixtures/guards/verify-fixtures.ts'
export type { InlineChild, InlineScenario, Scenario, ScenarioUse, SessionFixture } from './fixtures/index.ts'
export type { SessionTranscript, Transcript } from './harvest.ts'
export { inspectCorpus, inspectScenario } from './inspect/index.ts'
export type * from './inspect/index.ts'
export * from './llm-replay/public.ts'
export type { CompositionOptions } from './host/composition/composition.ts'
export type { EntryPatch } from './host/composition/entries.ts'
export type { AgentHost, RunScenarioOptions } from './run-options.ts'
export type { RunModelCall } from './replay-seat.ts'
export { runScenario } from './run-scenario.ts'
export type { RunTimings, ScenarioRun } from './run-scenario.ts'
export type * from './scenario/public.ts'
export {
  decodeRow,
  decodeRows,
  packEvents,
  projectSessionLog,
  serializeSessionLog,
} from './session-log/index.ts'
export type {
  LogPlace,
  PackedRow,
  StorageRow,
  TextChunksRow,
  ToolCallChunksRow,
  ToolCallRecord,
} from './session-log/index.ts'
export {
  compareLogs,
  compareStdout,
  createNormalizer,
  explainSessionLog,
  explainStdout,
  fixtureContext,
  formatReport,
  normalizationRules,
  normalizeSessionLog,
  normalizeStdout,
  normalizeText,
} from './transcript/index.ts'
export type {
  Change,
  Difference,
  DifferenceContext,
  LogPin,
  NormalizationChange,
  NormalizeContext,
  Normalizer,
  PinnedPart,
  ReportOptions,
  ToolList,
} from './transcript/index.ts'
export { pinSidecars } from './pin-sidecars.ts'
export { explainRun } from './explain-run.ts'
