import type { JsonObject } from '../session-log/types.ts'
import { pathRules } from './built-in-rules.ts'
import type { IdSighting } from './identity-map.ts'
import type { NormalizeContext } from './normalize-context.ts'
import { idFinder } from './session-id-rule.ts'
import { joinKey } from './value-difference.ts'

/** Gives the ids that stand in the same places of what was recorded and of what is. */
export type PairFinder = (index: number, was: JsonObject, is: JsonObject) => Generator<IdSighting>

/** Finds the ids that stand in the same places of two values that are equal but for what is a run's own. */
export function pairFinder(expected: NormalizeContext, actual: NormalizeContext): PairFinder {
  const [idsBefore, idsNow] = [idsOutsidePaths(expected), idsOutsidePaths(actual)]
  function* walk(index: number, path: string, was: unknown, is: unknown): Generator<IdSighting> {
    if (typeof was === 'string' && typeof is === 'string') {
      const before = idsBefore(was)
      const now = before.length === 0 ? [] : idsNow(is)
      // What a rule of somebody's own, or a token for a whole text, leaves no trace of can't be told.
      if (before.length !== now.length) return
      for (const [at, id] of before.entries()) yield { index, path, was: id, is: String(now[at]) }
      return
    }
    if (typeof was !== 'object' || typeof is !== 'object' || was === null || is === null) return
    const inArray = Array.isArray(was)
    for (const [key, child] of Object.entries(was)) {
      if (typeof child === 'number') continue
      const there = inArray ? `${path}[${key}]` : joinKey(path, key)
      yield* walk(index, there, child, (is as Readonly<Record<string, unknown>>)[key])
    }
  }
  return (index, was, is) => walk(index, '', was, is)
}

/** The ids of a text but those in a path that a token stands for as a whole. */
function idsOutsidePaths(context: NormalizeContext): (text: string) => string[] {
  const paths = pathRules.map(rule => rule.text(context))
  const find = idFinder(context.sessionIds)
  return text => (find(text).length === 0 ? [] : find(paths.reduce((current, rule) => rule(current), text)))
}
