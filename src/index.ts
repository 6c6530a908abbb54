/**
 * Record an ACP agent once, replay it for ever, inside the test process.
 *
 * @packageDocumentation
 */
export { compareRun } from './compare-run.ts'
export type { RunComparison } from './compare-run.ts'
export { SnapshotError } from './errors.ts'
export type { SnapshotErrorCode } from './errors.ts'
export { loadScenario } from './fixtures/index.ts'
export type { InlineScenario, Scenario, SessionFixture } from './fixtures/index.ts'
export type { SessionTranscript, Transcript } from './harvest.ts'
export * from './llm-replay/public.ts'
export type { RunScenarioOptions } from './run-options.ts'
export { runScenario } from './run-scenario.ts'
export type { ScenarioRun } from './run-scenario.ts'
export type { InputScript, PermissionAnswer, ScenarioSettings, Step, Suite } from './scenario/index.ts'
export { packEvents, projectSessionLog, serializeSessionLog } from './session-log/index.ts'
export {
  compareLogs,
  compareStdout,
  fixtureContext,
  formatReport,
  normalizeSessionLog,
  normalizeStdout,
  normalizeText,
} from './transcript/index.ts'
export type { Change, Difference, DifferenceContext, NormalizeContext, ReportOptions } from './transcript/index.ts'
