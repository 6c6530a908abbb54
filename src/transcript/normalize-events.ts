import { runsOf } from '../session-log/runs.ts'
import type { JsonObject, SessionEvent } from '../session-log/types.ts'
import { eventRules, timeRule } from './built-in-rules.ts'
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
  const rule = builtInRule(context)
  const further = furtherRule(context, 'event')
  if (further !== undefined) {
    // A rule of somebody's own may look at deltas too, and has the last word on all but strings.
    const time = timeRule.event(context)
    return events.map(event => withStrings(further(time(rule(event))), normalizer))
  }
  const runs = runsOf(events)[Symbol.iterator]()
  let run = runs.next().value
  let keeps = false
  return events.map((event, at) => {
    if (at === run?.end) run = runs.next().value
    if (run === undefined || at < run.start) return normalizeEvent(rule(event), normalizer)
    if (at === run.start) keeps = keepsAllButText(event.data.chunk as JsonObject, normalizer)
    const text = run.texts[at - run.start]
    if (!keeps || text === undefined) return normalizeEvent(event, normalizer)
    const normal = normalizer.text(text)
    if (normal === text) return withData(event, event.data)
    const changed = withData(event, {
      ...event.data,
      chunk: withText(event.data.chunk as JsonObject, normal),
    })
    // The text may have announced a job that goes by the name of this call.
    keeps = keepsAllButText(event.data.chunk as JsonObject, normalizer)
    return changed
  })
}

/** The built-in rules look at the events of a few types, and at no delta: those are nearly all. */
function builtInRule(context: NormalizeContext): EventRule {
  const rules = eventRules.map(rule => rule.event(context))
  return event =>
    event.type === 'assistant/chunk' ? event : rules.reduce((current, rule) => rule(current), event)
}

function keepsAllButText({ type, id, name }: JsonObject, normalizer: Normalizer): boolean {
  return [type, id, name].every(value => typeof value !== 'string' || normalizer.text(value) === value)
}

function withText(chunk: JsonObject, text: string): JsonObject {
  return { ...chunk, [chunk.type === 'tool-call-delta' ? 'argumentsDelta' : 'text']: text }
}

function withStrings(event: SessionEvent, normalizer: Normalizer): SessionEvent {
  const data = normalizer.value(event.data) as JsonObject
  return data === event.data ? event : { ...event, data }
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
