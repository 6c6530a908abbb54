import { test as base } from 'vitest'

import { runScenario, type ScenarioRun } from '../run-scenario.ts'
import type { RunScenarioOptions } from '../run-options.ts'
import { pathOf, type PathOrUrl } from './paths.ts'

/**
 * What the tests of a file run against: the options of a run, but for the scenario.
 *
 * @public
 */
export interface AgentUnderTest extends Omit<
  RunScenarioOptions,
  'scenario' | 'mode' | 'signal' | 'composition'
> {
  readonly composition?: PathOrUrl | Exclude<RunScenarioOptions['composition'], string>
}

/**
 * What {@link test} gives to each test.
 *
 * @public
 */
export interface SnapshotFixtures {
  /** Set it for the tests of a file: `test.extend({ agent: { composition: './cordis.yml' } })`. */
  agent: AgentUnderTest
  /** Runs a scenario, a folder's or one that is written in place, against the agent; the end of the test ends it. */
  run: (scenario: PathOrUrl | Exclude<RunScenarioOptions['scenario'], string>) => Promise<ScenarioRun>
}

/**
 * The runner's `test`, with an agent to run scenarios against.
 *
 * @public
 */
export const test = base.extend<SnapshotFixtures>({
  // An empty object pattern is how the runner is told that a fixture needs no other.
  // eslint-disable-next-line no-empty-pattern
  agent: async ({}, use) => await use({}),
  run: async ({ agent, signal }, use) => {
    const { composition, ...options } = agent
    await use(
      async scenario =>
        await runScenario({
          ...options,
          ...(composition === undefined
            ? {}
            : { composition: isPath(composition) ? pathOf(composition) : composition }),
          scenario: isPath(scenario) ? pathOf(scenario) : scenario,
          signal,
        }),
    )
  },
})

function isPath(given: unknown): given is PathOrUrl {
  return typeof given === 'string' || given instanceof URL
}
