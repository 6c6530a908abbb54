import type { Suite, SuiteScenario } from './suite.ts'

/** What is declared of a scenario, with the defaults filled in. @public */
export interface ScenarioSettings extends SuiteScenario {
  /** Its own, else the suite's; relative to the folder of `suite.json`. */
  readonly composition?: string
  /** `default` where none is declared. */
  readonly headerClass: string
  /** `disk` where none is declared. */
  readonly workspace: 'disk' | 'memory'
}

/**
 * The settings of a scenario. Without a suite, and for a scenario that it doesn't name, they are the defaults.
 *
 * @public
 */
export function settingsOf(suite: Suite | undefined, scenarioName: string): ScenarioSettings {
  const own = declared(suite, scenarioName)
  const shared = suite?.composition === undefined ? {} : { composition: suite.composition }
  return { headerClass: 'default', workspace: 'disk', ...shared, ...own }
}

/** What the suite says of this one scenario. */
export function declared(suite: Suite | undefined, scenarioName: string): SuiteScenario {
  const named = suite !== undefined && Object.hasOwn(suite.scenarios, scenarioName)
  return (named ? suite.scenarios[scenarioName] : undefined) ?? {}
}
