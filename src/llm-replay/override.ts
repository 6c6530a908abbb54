import { z } from 'zod'
import { SnapshotError } from '../errors.ts'
import { parseJson } from '../scenario/parse-json.ts'
import { replayEntrySchema, type ReplayEntry } from './entry.ts'
import { depthProblem } from './strings.ts'
import { placeholderProblem } from './placeholder.ts'
import { describe, replayInvalid, type Where } from './problem.ts'
import { isObject } from './shape.ts'
import { allow, exactObject, parseWith } from './zod-problems.ts'

/**
 * One entry put in the place of a derived one, or behind the last.
 *
 * @public
 */
export interface ReplayOverridePatch {
  /** Position of a model call, from 0 to the number of derived entries, which appends. */
  readonly at: number
  readonly entry: ReplayEntry
}

/**
 * What an override file says: a whole script in place of the recorded one, or patches of it.
 *
 * @public
 */
export type ReplayOverrideDoc = readonly ReplayEntry[] | { readonly patches: readonly ReplayOverridePatch[] }

const replacement = z.array(replayEntrySchema)

const position = z.custom<number>(
  value => Number.isSafeInteger(value) && Number(value) >= 0,
  allow('a safe integer, 0 or more'),
)

const patches = exactObject({
  patches: z
    .array(exactObject({ at: position, entry: replayEntrySchema }), allow('an array of {at, entry}'))
    .superRefine((list, context) => {
      const seen = new Set<number>()
      for (const [index, { at }] of list.entries()) {
        if (seen.has(at)) {
          const message = `a second patch at ${at}; allowed: one patch a position`
          context.addIssue({ code: 'custom', path: [index, 'at'], message })
        }
        seen.add(at)
      }
    }),
})

/**
 * Reads an override file, all of it: keys, chunk shapes, stream grammar, gates, placeholders and their patterns.
 *
 * @param text - JSON
 * @param file - the file's name, for errors
 * @throws SnapshotError `REPLAY_INVALID`: file, place, what is wrong, what is allowed
 * @public
 */
export function parseOverride(text: string, file: string): ReplayOverrideDoc {
  let value: unknown
  try {
    value = parseJson(text, file)
  } catch (cause) {
    const { message, details } = cause as SnapshotError
    throw new SnapshotError('REPLAY_INVALID', message, { cause, details })
  }
  return checkOverride(value, file)
}

/**
 * The same for a value that is in memory.
 *
 * @public
 */
export function checkOverride(value: unknown, where: Where): ReplayOverrideDoc {
  const deep = depthProblem(value)
  if (deep !== undefined) throw replayInvalid(where, deep)
  const doc = parseShape(value, where)
  const problem = placeholderProblem(doc)
  if (problem !== undefined) throw replayInvalid(where, problem)
  return doc
}

function parseShape(value: unknown, where: Where): ReplayOverrideDoc {
  if (Array.isArray(value)) return parseWith(replacement, value, where)
  if (isObject(value)) return parseWith(patches, value, where)
  const message = `found ${describe(value)}; allowed: an array of entries, or {"patches":[…]}`
  throw replayInvalid(where, { path: [], message })
}

/** The positions at which a document puts entries of its own; undefined where it replaces the whole script. */
export function patchedPositions(doc: ReplayOverrideDoc): ReadonlySet<number> | undefined {
  return 'patches' in doc ? new Set(doc.patches.map(patch => patch.at)) : undefined
}

/**
 * The script that an override makes of the recorded one.
 *
 * @param derived - gives the recorded script; not called where the document replaces it, so that a log whose script
 * can't be derived is no obstacle
 * @param where - the override's name, for errors
 * @throws SnapshotError `REPLAY_INVALID` where a patch lies beyond the end
 * @public
 */
export function applyOverride(
  derived: () => readonly ReplayEntry[],
  doc: ReplayOverrideDoc,
  where = 'replay.override.json',
): ReplayEntry[] {
  if (!('patches' in doc)) return [...doc]
  const recorded = derived()
  const entries = [...recorded]
  for (const [index, { at, entry }] of doc.patches.entries()) {
    if (at > recorded.length) {
      const message = `found ${at}; allowed: 0 to ${recorded.length}, the number of recorded calls, which appends`
      throw replayInvalid(where, { path: ['patches', index, 'at'], message })
    }
    entries[at] = entry
  }
  return entries
}
