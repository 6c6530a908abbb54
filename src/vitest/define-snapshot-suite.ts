import path from 'node:path'

import { describe, it } from 'vitest'

import { checkFixtures } from './check-fixtures.ts'
import { findSuiteScenarios } from './find-suite-scenarios.ts'
import { pathOf } from './paths.ts'
import { runSuiteScenario } from './run-suite-scenario.ts'
import type { SnapshotSuiteOptions } from './suite-options.ts'
import { isUpdating } from './update-flag.ts'

/**
 * Registers a test for each scenario of a folder, and one that looks through their files. A scenario's test is called by its
 * name, so that the runner's filters pick scenarios.
 *
 * A test fails with the report of what differs. The runner's update flag (`-u`) writes `stdout.expected.jsonl`, and no other
 * file, where the facts of the scenario hold. Nothing reaches a network.
 *
 * @public
 */
export function defineSnapshotSuite(options: SnapshotSuiteOptions): void {
  const folder = pathOf(options.scenarios)
  const {
    name = path.basename(path.resolve(folder)),
    only,
    concurrent = true,
    guards = true,
    timeoutMs = 60_000,
  } = options
  describe(name, async () => {
    const scenarios = await findSuiteScenarios(folder, only).catch((error: unknown) => {
      // A suite without tests would be green.
      it('finds its scenarios', () => {
        throw error
      })
      return []
    })
    if (guards && scenarios.length > 0) {
      it('fixtures', { timeout: timeoutMs }, () => checkFixtures(folder))
    }
    for (const scenario of scenarios) {
      const test = concurrent ? it.concurrent : it
      test(scenario.name, { timeout: timeoutMs }, ({ signal, annotate, expect }) =>
        runSuiteScenario({
          folder: scenario.folder,
          options,
          signal,
          update: isUpdating(expect),
          tell: annotate,
        }),
      )
    }
  })
}
