import type { Dirent } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import path from 'node:path'

import { SnapshotError } from '../errors.ts'
import { readSuite } from '../fixtures/read-suite.ts'

/**
 * The scenario folders that an argument names: the folder itself where it holds a scenario's file, else every one below
 * it, in order of their paths. A folder that lacks some file, or that only a `suite.json` names, is among them.
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

async function below(folder: string, seen: ReadonlySet<string> = new Set()): Promise<string[]> {
  const entries = await readFolder(folder)
  // A folder that has lost its input.json is a broken scenario, not none.
  if (entries.some(entry => scenarioFile.test(entry.name))) return [folder]
  const real = await realpath(folder)
  if (seen.has(real)) return []
  const folders: string[] = []
  for (const entry of entries) {
    const inner = path.join(folder, entry.name)
    const hidden = entry.name === 'node_modules' || entry.name.startsWith('.')
    if (!hidden && (await isFolder(inner, entry))) folders.push(inner)
  }
  const found = await Promise.all(folders.sort().map(inner => below(inner, new Set([...seen, real]))))
  return [...found.flat(), ...(await declaredWithoutFolder(folder, entries))]
}

const scenarioFile =
  /^(?:input\.json|session(?:\.\d+)?\.jsonl|stdout\.expected\.jsonl|replay\.override(?:\.\d+)?\.json)$/

/** Scenarios that a suite.json names and that have no folder: to run them fails, and says so. */
async function declaredWithoutFolder(folder: string, entries: readonly Dirent[]): Promise<string[]> {
  const declared = Object.keys((await readSuite(folder))?.suite.scenarios ?? {})
  const there = new Set(entries.map(entry => entry.name))
  return declared.filter(name => !there.has(name)).map(name => path.join(folder, name))
}

async function isFolder(inner: string, entry: Dirent): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isDirectory()
  return (await stat(inner).catch(() => undefined))?.isDirectory() === true
}

async function readFolder(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (cause) {
    throw new SnapshotError('USAGE', `${folder}: this folder can't be read: ${String(cause)}.`, { cause })
  }
}
