export type { InputScript, PermissionAnswer } from './input-script.ts'
export type { ScenarioSettings } from './settings.ts'
export type * from './steps.ts'
export type { ChildPins, PinKind, ScenarioPin, Suite, SuiteScenario } from './suite.ts'
