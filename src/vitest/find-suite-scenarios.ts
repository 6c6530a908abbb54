import path from 'node:path'

import { SnapshotError } from '../errors.ts'
import { findScenarios } from '../fixtures/find-scenarios.ts'
import { nameBelow } from '../fixtures/name-below.ts'
import { nearestName } from '../scenario/nearest-name.ts'

/** A scenario of a suite. */
export interface SuiteScenarioFolder {
  /** Its path below the suite's folder, with `/` between the parts. */
  readonly name: string
  /** Absolute. */
  readonly folder: string
}

/**
 * The scenarios of a suite's folder.
 *
 * @param only - names of those that are wanted
 * @throws SnapshotError `USAGE` where there is no scenario, or none of a name that is wanted
 */
export async function findSuiteScenarios(
  folder: string,
  only: readonly string[] | undefined,
): Promise<SuiteScenarioFolder[]> {
  const found = await findScenarios(folder)
  const scenarios = found.map(scenario => {
    const absolute = path.resolve(scenario)
    return { name: nameBelow(folder, scenario) || path.basename(absolute), folder: absolute }
  })
  if (only === undefined) return scenarios
  const names = scenarios.map(({ name }) => name)
  const unknown = only.find(name => !names.includes(name))
  if (unknown === undefined) return scenarios.filter(({ name }) => only.includes(name))
  const nearest = nearestName(unknown, names)
  throw new SnapshotError(
    'USAGE',
    `"only" names ${JSON.stringify(unknown)}, but ${folder} has no scenario of that name; ` +
      (nearest === undefined ? `there are: ${names.join(', ')}.` : `did you mean ${nearest}?`),
  )
}
