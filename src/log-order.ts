import type { SessionFixture } from './fixtures/index.ts'
import { lineageOf, normalizeLineage } from './llm-replay/lineage.ts'
import type { SessionLog } from './session-log/index.ts'
import { createNormalizer, fixtureContext, type NormalizeContext } from './transcript/index.ts'

/**
 * Logs in order of their sessions' creation; what was created in the same millisecond in order of what it was asked, since
 * ids are another in every run.
 */
export function byCreation(a: SessionLog, b: SessionLog): number {
  const difference = a.header.createdAt - b.header.createdAt
  if (difference !== 0) return difference
  return keyOf(a).localeCompare(keyOf(b)) || a.header.id.localeCompare(b.header.id)
}

/** Logs in the order of the earlier logs of their lineage, then those of none in order of their creation. */
export function inEarlierOrder(
  logs: readonly SessionLog[],
  before: readonly SessionFixture[],
  context: NormalizeContext,
): SessionLog[] {
  const left = [...logs].sort(byCreation)
  const kept: SessionLog[] = []
  for (const { log } of before.slice(1)) {
    const key = keyOf(log, { ...fixtureContext(log), rules: context.rules ?? [] })
    const at = left.findIndex(candidate => keyOf(candidate, context) === key)
    if (at !== -1) kept.push(...left.splice(at, 1))
  }
  return [...kept, ...left]
}

/** What tells a session from its siblings, as text. */
function keyOf(log: SessionLog, context: NormalizeContext = { cwds: [], sessionIds: [] }): string {
  const { label, prompt } = normalizeLineage(lineageOf(log), createNormalizer(context))
  return JSON.stringify([log.header.delegationDepth, label, prompt])
}
