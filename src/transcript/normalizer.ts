import type { JsonValue } from '../session-log/types.ts'
import { cwdRule } from './cwd-rule.ts'
import { mapStrings } from './map-strings.ts'
import type { NormalizeContext } from './normalize-context.ts'
import { ownFoldersRule } from './own-folders-rule.ts'
import { hasSeparator } from './path-pattern.ts'
import { remembering } from './remembering.ts'
import { sessionIdRule } from './session-id-rule.ts'
import { spillRule } from './spill-rule.ts'
import { subprocessOutputRule } from './subprocess-output-rule.ts'
import type { TextRule } from './text-rule.ts'
import { cwdToken } from './tokens.ts'

/**
 * The string rules of one run, compiled. Applied again, they change nothing.
 *
 * @public
 */
export interface Normalizer {
  /** One string, with its paths and ids replaced by tokens. */
  text(text: string): string
  /** A JSON value with all its strings replaced so; keys stay. */
  value(value: JsonValue): JsonValue
}

/**
 * Compiles the string rules for a run: `{{cwd}}` with forward slashes below it, then `{{spillLocator:NAME}}`, then
 * `{{home}}`, `{{tmp}}` and `{{sessions}}`, then `{{sessionId}}`.
 *
 * @public
 */
export function createNormalizer(context: NormalizeContext): Normalizer {
  const { homes = [], temps = [], sessionRoots = [] } = context
  const cwd = cwdRule(context.cwds)
  const spill = spillRule((context.spillRoots ?? []).map(cwd))
  const ownFolders = ownFoldersRule({ homes, temps, sessionRoots })
  const sessionId = sessionIdRule(context.sessionIds)
  // All rules but the last are about paths: what has no separator, most strings of a log, they leave as it is.
  const rules = remembering(input =>
    sessionId(hasSeparator(input) ? ownFolders(subprocessOutputRule(spill(cwd(input)))) : input),
  )
  const shortest = shortestToFind(context)
  const text: TextRule = input => (input.length < shortest ? input : rules(input))
  return { text, value: value => mapStrings(value, text) }
}

/** The length of the shortest text that a rule may change: a model's deltas are mostly shorter. */
function shortestToFind(context: NormalizeContext): number {
  const { cwds, sessionIds, spillRoots = [], homes = [], temps = [], sessionRoots = [] } = context
  const lengths = [...cwds, ...sessionIds, ...spillRoots, ...homes, ...temps, ...sessionRoots]
    // Windows folders are found with as few separators as there can be.
    .map(text => text.replace(/[/\\]+/g, '/').replace(/^\/|\/$/g, '').length)
    .filter(length => length > 0)
  return Math.min(cwdToken.length, ...lengths)
}

/**
 * Replaces what is a run's own in one string. To normalise many strings, compile the rules once with
 * {@link createNormalizer}.
 *
 * @public
 */
export function normalizeText(text: string, context: NormalizeContext): string {
  return createNormalizer(context).text(text)
}
