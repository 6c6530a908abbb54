import { runsOf } from '../session-log/runs.ts'
import type { JsonObject, JsonValue, SessionEvent } from '../session-log/types.ts'
import { eventRules } from './built-in-rules.ts'
import { furtherRule } from './further-rules.ts'
import type { NormalizeContext } from './normalize-context.ts'
import type { Normalizer } from './normalizer.ts'
import type { EventRule } from './rule.ts'

/**
 * Makes the events of a log the same in every run, as `normalizeSessionLog` says. In a run of deltas, a look at the first
 * and at each text says whether it is one of those of which nothing is replaced, as nearly all are.
 */
export function normalizeEvents(
  events: readonly SessionEvent[],
  normalizer: Normalizer,
  context: NormalizeContext,
): SessionEvent[] {
  const further = furtherRule(context, 'event')
  const rule = eventRule(context, further)
  // A rule of somebody's own may look at deltas too.
  const runs = (further === undefined ? runsOf(events) : [])[Symbol.iterator]()
  let run = runs.next().value
  let keeps = false
  return events.map((event, at) => {
    if (at === run?.end) run = runs.next().value
    if (run === undefined || at < run.start) return normalizeEvent(rule(event), normalizer)
    if (at === run.start) keeps = keepsAllButText(event.data.chunk, normalizer)
    const text = run.texts[at - run.start]
    const isKept = keeps && text !== undefined && normalizer.text(text) === text
    return isKept ? withData(event, event.data) : normalizeEvent(event, normalizer)
  })
}

/** The built-in rules look at the events of a few types, and at no delta: those are nearly all. */
function eventRule(context: NormalizeContext, further: EventRule | undefined): EventRule {
  const rules = eventRules.map(rule => rule.event(context))
  const builtIn: EventRule = event =>
    event.type === 'assistant/chunk' ? event : rules.reduce((current, rule) => rule(current), event)
  return further === undefined ? builtIn : event => further(builtIn(event))
}

function keepsAllButText(chunk: JsonValue | undefined, normalizer: Normalizer): boolean {
  const { type, id, name } = chunk as JsonObject
  return [type, id, name].every(value => typeof value !== 'string' || normalizer.text(value) === value)
}

function normalizeEvent(event: SessionEvent, normalizer: Normalizer): SessionEvent {
  return withData(event, normalizer.value(event.data) as JsonObject)
}

/** Puts the event together, without its time: so the rule about time is done as well. */
function withData(event: SessionEvent, data: JsonObject): SessionEvent {
  if (event.time === 0 && data === event.data) return event
  const { type, seq, sourceEventSeqs, surfaceOp, ignorable } = event
  // Most events have no more than this, and written out it takes a fraction of a copy's time.
  if (sourceEventSeqs === undefined && surfaceOp === undefined && ignorable === undefined) {
    return { type, seq, time: 0, data }
  }
  return { ...event, time: 0, data }
}
