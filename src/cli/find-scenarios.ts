import { access, readdir, stat } from 'node:fs/promises'
import path from 'node:path'

import { SnapshotError } from '../errors.ts'

/**
 * The scenario folders that an argument names: the folder itself where it holds an `input.json`, else every one below
 * it, in order of their paths.
 *
 * @throws SnapshotError with code `USAGE` where there is none
 */
export async function findScenarios(folder: string): Promise<string[]> {
  const found = await stat(folder).catch(() => undefined)
  if (found?.isDirectory() !== true) {
    throw new SnapshotError(
      'USAGE',
      `${folder}: there is no such folder. Name a scenario's folder, or one above several.`,
    )
  }
  const scenarios = await below(folder)
  if (scenarios.length > 0) return scenarios
  throw new SnapshotError(
    'USAGE',
    `${folder}: no scenario here or below. A scenario is a folder that holds an input.json.`,
  )
}

async function below(folder: string): Promise<string[]> {
  const isScenario = await access(path.join(folder, 'input.json')).then(
    () => true,
    () => false,
  )
  if (isScenario) return [folder]
  const entries = await readdir(folder, { withFileTypes: true })
  const folders = entries
    .filter(entry => entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.'))
    .map(entry => path.join(folder, entry.name))
  return (await Promise.all(folders.sort().map(below))).flat()
}
