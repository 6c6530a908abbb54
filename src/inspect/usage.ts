import type { TokenUsage } from '../llm-replay/chunk.ts'
import { asObject } from '../session-log/json-parts.ts'
import type { JsonValue } from '../session-log/types.ts'
import type { UsageTotals } from './types.ts'

/** The sum of what is known. */
export function totalUsage(usages: Iterable<TokenUsage | undefined>): UsageTotals {
  const totals = {
    inputTokens: 0,
    outputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
  }
  for (const usage of usages) {
    if (usage === undefined) continue
    totals.inputTokens += usage.inputTokens
    totals.outputTokens += usage.outputTokens
    totals.cacheReadTokens += usage.cacheReadTokens ?? 0
    totals.cacheWriteTokens += usage.cacheWriteTokens ?? 0
    totals.reasoningTokens += usage.reasoningTokens ?? 0
  }
  return totals
}

/** A usage as an event holds it; undefined for anything else. */
export function usageIn(value: JsonValue | undefined): TokenUsage | undefined {
  const usage = asObject(value)
  if (typeof usage?.inputTokens !== 'number' || typeof usage.outputTokens !== 'number') return undefined
  const { inputTokens, outputTokens } = usage
  const optional = ['cacheReadTokens', 'cacheWriteTokens', 'reasoningTokens'] as const
  const given = optional.filter(key => typeof usage[key] === 'number')
  return { inputTokens, outputTokens, ...Object.fromEntries(given.map(key => [key, usage[key]])) }
}
