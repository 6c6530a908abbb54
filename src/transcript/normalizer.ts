import type { JsonValue } from '../session-log/types.ts'
import { idRule, pathRules } from './built-in-rules.ts'
import { furtherRule } from './further-rules.ts'
import { JobNumbers } from './job-id-rule.ts'
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
  return compile(context, new JobNumbers(context.jobIds))
}

/** The same for what is normalised already, whose jobs have their numbers from a whole run. */
export function createFixtureNormalizer(context: NormalizeContext): Normalizer {
  return compile(context, { notice: () => undefined, renumber: text => text })
}

function compile(context: NormalizeContext, jobs: Pick<JobNumbers, 'notice' | 'renumber'>): Normalizer {
  const paths = pathRules.map(rule => rule.text(context))
  const ids = idRule.text(context)
  const rules = remembering(input => {
    // What has no separator, most strings of a log, the rules for paths leave as it is.
    const text = ids(hasSeparator(input) ? paths.reduce((current, rule) => rule(current), input) : input)
    // A text that is remembered was noticed, and one that is too short for any rule announces nothing.
    jobs.notice(text)
    return text
  })
  const shortest = shortestToFind(context)
  const builtIn: TextRule = input => jobs.renumber(input.length < shortest ? input : rules(input))
  const further = furtherRule(context, 'text')
  const text: TextRule = further === undefined ? builtIn : input => further(builtIn(input))
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
