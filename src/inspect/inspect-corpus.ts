import path from 'node:path'

import { findScenarios } from '../fixtures/find-scenarios.ts'
import { readSuite, type SuiteReader } from '../fixtures/read-suite.ts'
import { inParallel } from './in-parallel.ts'
import { inspectFolder } from './inspect-folder.ts'
import { sumOf } from './totals.ts'
import type { InspectedCorpus, InspectedScenario } from './types.ts'

const FOLDERS_AT_ONCE = 16

/**
 * Reads what every scenario below a folder tells; the folder may be a scenario itself. What is wrong with a scenario's
 * files is among its `problems`.
 *
 * @throws SnapshotError `USAGE` where there is no such folder, or no scenario in it
 * @public
 */
export async function inspectCorpus(folder: string): Promise<InspectedCorpus> {
  const suites = keptSuites()
  const folders = await findFolders(folder, suites)
  const scenarios = await inParallel(
    folders,
    FOLDERS_AT_ONCE,
    async inner => (await inspectFolder(inner, suites)).scenario,
  )
  return { folder: path.resolve(folder), scenarios, totals: corpusTotals(scenarios) }
}

/** The scenarios below a folder. A `suite.json` that is wrong is a problem of each beside it, and names none. */
export async function findFolders(folder: string, suites: SuiteReader): Promise<string[]> {
  return await findScenarios(
    folder,
    async beside => await suites(path.resolve(beside)).catch(() => undefined),
  )
}

/** Reads each `suite.json` once. */
export function keptSuites(): SuiteReader {
  const kept = new Map<string, ReturnType<SuiteReader>>()
  return async folder => {
    const found = kept.get(folder) ?? readSuite(folder)
    kept.set(folder, found)
    return await found
  }
}

/** The sums over scenarios. */
export function corpusTotals(scenarios: readonly InspectedScenario[]): InspectedCorpus['totals'] {
  const sum = (count: (scenario: InspectedScenario) => number): number =>
    scenarios.reduce((total, scenario) => total + count(scenario), 0)
  return {
    scenarios: scenarios.length,
    ...sumOf(scenarios.map(({ totals }) => totals)),
    bytes: sum(({ files }) => files.reduce((total, { size }) => total + size, 0)),
    problems: sum(({ problems }) => problems.length),
  }
}
