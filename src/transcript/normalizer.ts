import type { JsonValue } from '../session-log/types.ts'
import { idRule, jobIds, pathRules } from './built-in-rules.ts'
import { furtherRule } from './further-rules.ts'
import { mapStrings } from './map-strings.ts'
import type { NormalizeContext } from './normalize-context.ts'
import { hasSeparator } from './path-pattern.ts'
import { remembering } from './remembering.ts'
import type { TextRule } from './text-rule.ts'
import { cwdToken } from './tokens.ts'

/**
 * The string rules of one document, compiled. Applied again, they change nothing.
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
 * Compiles the string rules for one document of a run, a log or an output: `{{cwd}}` with forward slashes below it, then
 * `{{spillLocator:NAME}}`, then `{{home}}`, `{{tmp}}` and `{{sessions}}`, then `{{sessionId}}`; then jobs are numbered by
 * first sight, and the context's own rules follow.
 *
 * @public
 */
export function createNormalizer(context: NormalizeContext): Normalizer {
  const builtIn = withoutState(context)
  const job = jobIds.text(context)
  const further = furtherRule(context, 'text')
  const text: TextRule =
    further === undefined ? input => job(builtIn(input)) : input => further(job(builtIn(input)))
  return { text, value: value => mapStrings(value, text) }
}

/** The rules that always make the same of one text. */
function withoutState(context: NormalizeContext): TextRule {
  const paths = pathRules.map(rule => rule.text(context))
  const ids = idRule.text(context)
  // What has no separator, most strings of a log, the rules for paths leave as it is.
  const rules = remembering(input =>
    ids(hasSeparator(input) ? paths.reduce((text, rule) => rule(text), input) : input),
  )
  const shortest = shortestToFind(context)
  return input => (input.length < shortest ? input : rules(input))
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
