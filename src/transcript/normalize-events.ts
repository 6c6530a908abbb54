import { runsOf } from '../session-log/runs.ts'
import type { JsonObject, JsonValue, SessionEvent } from '../session-log/types.ts'
import type { Normalizer } from './normalizer.ts'
import { systemToken, toolsToken } from './tokens.ts'

/**
 * Makes the events of a log the same in every run, as `normalizeSessionLog` says. In a run of deltas, a look at the first
 * and at each text says whether it is one of those of which nothing is replaced, as nearly all are.
 */
export function normalizeEvents(events: readonly SessionEvent[], normalizer: Normalizer): SessionEvent[] {
  const runs = runsOf(events)[Symbol.iterator]()
  let run = runs.next().value
  let keeps = false
  return events.map((event, at) => {
    if (at === run?.end) run = runs.next().value
    if (run === undefined || at < run.start) return normalizeEvent(event, normalizer)
    if (at === run.start) keeps = keepsAllButText(event.data.chunk, normalizer)
    const text = run.texts[at - run.start]
    const isKept = keeps && text !== undefined && normalizer.text(text) === text
    return isKept ? withData(event, event.data) : normalizeEvent(event, normalizer)
  })
}

function keepsAllButText(chunk: JsonValue | undefined, normalizer: Normalizer): boolean {
  const { type, id, name } = chunk as JsonObject
  return [type, id, name].every(value => typeof value !== 'string' || normalizer.text(value) === value)
}

function normalizeEvent(event: SessionEvent, normalizer: Normalizer): SessionEvent {
  return withData(event, normalizer.value(tokenise(event)) as JsonObject)
}

function withData(event: SessionEvent, data: JsonObject): SessionEvent {
  if (event.time === 0 && data === event.data) return event
  const { type, seq, sourceEventSeqs, surfaceOp, ignorable } = event
  // Most events have no more than this, and written out it takes a fraction of a copy's time.
  if (sourceEventSeqs === undefined && surfaceOp === undefined && ignorable === undefined) {
    return { type, seq, time: 0, data }
  }
  return { ...event, time: 0, data }
}

/** Replaces what is of one run in an event's data whatever its strings hold. */
function tokenise({ type, data }: SessionEvent): JsonObject {
  if (type === 'hook/result') return replacePresent(data, { durationMs: 0 })
  if (type !== 'request/header' || !isObject(data.header)) return data
  return { ...data, header: replacePresent(data.header, { system: systemToken, tools: toolsToken }) }
}

function replacePresent(object: JsonObject, replacements: JsonObject): JsonObject {
  const present = Object.entries(replacements).filter(([key]) => Object.hasOwn(object, key))
  return { ...object, ...Object.fromEntries(present) }
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
