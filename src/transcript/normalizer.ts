import type { JsonValue } from '../session-log/types.ts'
import { cwdRule } from './cwd-rule.ts'
import { mapStrings } from './map-strings.ts'
import type { NormalizeContext } from './normalize-context.ts'
import { ownFoldersRule } from './own-folders-rule.ts'
import { sessionIdRule } from './session-id-rule.ts'
import { spillRule } from './spill-rule.ts'
import { subprocessOutputRule } from './subprocess-output-rule.ts'
import type { TextRule } from './text-rule.ts'

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
  const rules: readonly TextRule[] = [
    cwd,
    spillRule((context.spillRoots ?? []).map(cwd)),
    subprocessOutputRule,
    ownFoldersRule({ homes, temps, sessionRoots }),
    sessionIdRule(context.sessionIds),
  ]
  const text: TextRule = input => rules.reduce((current, rule) => rule(current), input)
  return { text, value: value => mapStrings(value, text) }
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
