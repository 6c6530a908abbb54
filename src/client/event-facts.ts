import type { LiveEvent } from '../host/journal.ts'
import type { JsonObject, JsonValue } from '../session-log/types.ts'

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
  return asArray(event.data.inserted)
    .flatMap(message => asArray(asObject(message)?.content))
    .flatMap(block => {
      const fields = asObject(block)
      return fields?.type === 'text' && typeof fields.text === 'string' ? [fields.text] : []
    })
}

function asObject(value: JsonValue | undefined): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !isArray(value) ? value : undefined
}

function asArray(value: JsonValue | undefined): readonly JsonValue[] {
  return isArray(value) ? value : []
}

function isArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value)
}
