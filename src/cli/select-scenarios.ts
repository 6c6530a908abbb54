import { stat } from 'node:fs/promises'
import path from 'node:path'

import { SnapshotError } from '../errors.ts'
import { findScenarios } from '../fixtures/find-scenarios.ts'
import { nameBelow } from '../fixtures/name-below.ts'
import { nearestName } from '../scenario/nearest-name.ts'

/**
 * The scenario folders that a command line means: those in the folders that it names, or of these only the ones whose names
 * it gives besides.
 *
 * @returns absolute paths, each once
 * @throws SnapshotError `USAGE` where an argument is neither, or a folder has no scenario
 */
export async function selectScenarios(args: readonly string[]): Promise<string[]> {
  const folders: string[] = []
  const names: string[] = []
  for (const arg of args) {
    const found = await stat(arg).catch(() => undefined)
    if (found?.isDirectory() === true) folders.push(arg)
    else names.push(arg)
  }
  // With no folder at all, the one that was meant does not exist.
  const searched = folders.length === 0 ? args : folders
  const inFolders = await Promise.all(
    searched.map(async folder => {
      const found = await findScenarios(folder)
      return found.map(scenario => ({ path: path.resolve(scenario), name: nameBelow(folder, scenario) }))
    }),
  )
  const scenarios = inFolders.flat()
  const wanted = names.map(name => {
    const matching = scenarios.filter(scenario => answersTo(scenario, name))
    if (matching.length > 0) return matching
    throw unknownName(
      name,
      searched,
      scenarios.map(scenario => path.basename(scenario.path)),
    )
  })
  // A scenario whose own folder was given is meant, whatever is picked out of the others.
  const given = scenarios.filter(({ name }) => name === '')
  const chosen = names.length === 0 ? scenarios : [...given, ...wanted.flat()]
  return [...new Set(chosen.map(scenario => scenario.path))]
}

function answersTo(scenario: { readonly path: string; readonly name: string }, name: string): boolean {
  return scenario.name === name || path.basename(scenario.path) === name
}

function unknownName(name: string, folders: readonly string[], known: readonly string[]): SnapshotError {
  const nearest = nearestName(name, known)
  const advice = nearest === undefined ? `there are: ${known.join(', ')}` : `did you mean ${nearest}?`
  return new SnapshotError(
    'USAGE',
    `${JSON.stringify(name)} is neither a folder nor a scenario in ${folders.join(', ')}; ${advice}`,
  )
}
