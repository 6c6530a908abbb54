import { asObject, asText } from '../../session-log/json-parts.ts'
import type { JsonValue } from '../../session-log/types.ts'
import { usageIn } from '../usage.ts'
import { words } from './words.ts'

/** A failure as its code and its message. */
export function describeFailure(value: JsonValue | undefined): string {
  const failure = asObject(value)
  return words(asText(failure?.code), asText(failure?.message))
}

/** A usage as a number a kind of token. */
export function describeUsage(value: JsonValue | undefined): string {
  const usage = usageIn(value)
  if (usage === undefined) return ''
  const { inputTokens, outputTokens, cacheReadTokens: read, cacheWriteTokens: written } = usage
  const cached = [
    ...(read === undefined ? [] : [`${read} from cache`]),
    ...(written === undefined ? [] : [`${written} to cache`]),
  ]
  return `[${[`${inputTokens} in`, ...cached, `${outputTokens} out`].join(', ')}]`
}
