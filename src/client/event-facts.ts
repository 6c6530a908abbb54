import type { LiveEvent } from '../host/journal.ts'
import { asArray, asObject, blockTexts } from '../session-log/json-parts.ts'

/** The turn that an event belongs to, where it says so. */
export function turnOf(event: LiveEvent): number | undefined {
  const { turn } = event.data
  return typeof turn === 'number' ? turn : undefined
}

/** The phase in a goal/change. A cleared goal has none. */
export function goalPhase(event: LiveEvent): string | undefined {
  const { phase, goal } = event.data
  if (typeof phase === 'string') return phase
  const inner = asObject(goal)?.phase
  return typeof inner === 'string' ? inner : undefined
}

/** The text blocks of the messages that an event has put into the inbox. */
export function insertedText(event: LiveEvent): readonly string[] {
  if (event.type !== 'agent/inbox/spliced') return []
  return asArray(event.data.inserted).flatMap(message => blockTexts(asObject(message)?.content))
}
