import { readdir, stat } from 'node:fs/promises'

import { SnapshotError } from '../errors.ts'
import { isScenarioFile } from '../fixtures/find-scenarios.ts'
import { inspectFolder } from './inspect-folder.ts'
import type { InspectedScenario } from './types.ts'

/**
 * Reads what a scenario folder tells. What is wrong with its files is among its `problems`; the rest is given still.
 *
 * @throws SnapshotError `USAGE` where there is no such folder, or no file of a scenario in it
 * @public
 */
export async function inspectScenario(folder: string): Promise<InspectedScenario> {
  const found = await stat(folder).catch(() => undefined)
  if (found?.isDirectory() !== true) {
    throw new SnapshotError('USAGE', `${folder}: there is no such folder. Name a scenario's folder.`)
  }
  if (!(await isScenario(folder))) {
    throw new SnapshotError(
      'USAGE',
      `${folder}: no scenario here. A scenario is a folder that holds an input.json; inspectCorpus() looks below a folder.`,
    )
  }
  return (await inspectFolder(folder)).scenario
}

/** Whether a folder is a scenario's. One that can't be listed may be: its problem is told where it is read. */
export async function isScenario(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => undefined)
  return names?.some(isScenarioFile) ?? true
}
