import { dirname, isAbsolute, join, resolve } from 'node:path'
import { SnapshotError } from '../errors.ts'
import { declared } from './settings.ts'
import type { Suite } from './suite.ts'

const COMPOSITION_FILE = 'cordis.yml'

/** A place where the composition of a scenario may be. @public */
export interface CompositionCandidate {
  /** Absolute. */
  readonly path: string
  /** Why it is looked at, in a few words. */
  readonly reason: string
  /** Someone has named it: it must exist. */
  readonly declared: boolean
}

/** Where a scenario is, and what was said of its composition. @public */
export interface CompositionLookup {
  /** Absolute. */
  readonly scenarioDir: string
  readonly scenarioName: string
  /** `file` is the absolute path of the `suite.json`, whose folder its paths are relative to. */
  readonly suite?: { readonly file: string; readonly suite: Suite }
  /** The absolute path that `--composition` named. */
  readonly option?: string
}

/**
 * Where to look for the composition of a scenario, in order: the first that exists is it. A declared one (the scenario's
 * own entry, else the suite's, else `--composition`) is the only one of its list, so that nothing else is taken in its
 * place; with none declared, they are the `cordis.yml` of the scenario's folder and of each folder above it.
 *
 * @throws SnapshotError `USAGE` for a path that is not absolute
 * @public
 */
export function compositionCandidates(lookup: CompositionLookup): readonly CompositionCandidate[] {
  const { scenarioDir, scenarioName, suite, option } = lookup
  requireAbsolute({ scenarioDir, 'suite.file': suite?.file, option })
  if (suite !== undefined) {
    const from = (path: string): string => resolve(dirname(suite.file), path)
    const own = declared(suite.suite, scenarioName).composition
    if (own !== undefined) return [named(from(own), `named for this scenario in ${suite.file}`)]
    const shared = suite.suite.composition
    if (shared !== undefined) return [named(from(shared), `named for all scenarios in ${suite.file}`)]
  }
  if (option !== undefined) return [named(option, 'given for this run')]
  return upwards(scenarioDir).map((folder, height) => ({
    path: join(folder, COMPOSITION_FILE),
    reason: height === 0 ? "in the scenario's folder" : "in a folder above the scenario's",
    declared: false,
  }))
}

/**
 * The error for a scenario none of whose candidates exist.
 *
 * @public
 */
export function compositionNotFound(
  scenarioName: string,
  candidates: readonly CompositionCandidate[],
): SnapshotError {
  const looked = candidates.map(({ path, reason }) => `- ${path}: ${reason}`)
  const remedy = candidates.some(candidate => candidate.declared)
    ? 'A composition that is named must exist: correct the name, or take it out to have the nearest cordis.yml looked for.'
    : 'Put a cordis.yml at one of these places, name one with --composition, or declare "composition" in suite.json.'
  return new SnapshotError(
    'COMPOSITION_FAILED',
    [`no composition for the scenario ${JSON.stringify(scenarioName)}; looked for:`, ...looked, remedy].join(
      '\n',
    ),
    { details: { scenario: scenarioName, candidates } },
  )
}

function named(path: string, reason: string): CompositionCandidate {
  return { path, reason, declared: true }
}

/** The folder and all above it, nearest first. */
function upwards(folder: string): string[] {
  const folders: string[] = []
  let next = resolve(folder)
  while (next !== folders.at(-1)) {
    folders.push(next)
    next = dirname(next)
  }
  return folders
}

function requireAbsolute(paths: Readonly<Record<string, string | undefined>>): void {
  for (const [name, path] of Object.entries(paths)) {
    if (path === undefined || isAbsolute(path)) continue
    throw new SnapshotError(
      'USAGE',
      `${name} is ${JSON.stringify(path)}; expected an absolute path. Resolve it first.`,
    )
  }
}
