import { hasKeys, isDeltaChunk } from '../session-log/delta-chunk.ts'
import type { JsonObject, JsonValue, SessionEvent, SessionHeader, SessionLog } from '../session-log/types.ts'
import type { NormalizeContext } from './normalize-context.ts'
import { createNormalizer } from './normalizer.ts'
import type { Normalizer } from './normalizer.ts'
import { sessionIdToken, systemToken, toolsToken } from './tokens.ts'

/**
 * Makes a session log the same in every run: times and durations become 0, the prompt and the tools of request headers
 * become tokens where they are present, and the strings follow the rules of {@link createNormalizer}. `seq` and all other
 * numbers stay. The log comes back in its shape; applied again, it changes nothing.
 *
 * @public
 */
export function normalizeSessionLog(log: SessionLog, context: NormalizeContext): SessionLog {
  const normalizer = createNormalizer(context)
  const header = normalizeHeader(log.header, normalizer)
  return {
    file: log.file,
    header,
    headerLine: JSON.stringify(header),
    events: log.events.map(event => normalizeEvent(event, normalizer)),
  }
}

/** The ids of a header are session ids by definition, whatever they look like. */
function normalizeHeader(header: SessionHeader, normalizer: Normalizer): SessionHeader {
  return {
    ...header,
    id: sessionIdToken,
    createdAt: 0,
    ...(header.cwd !== undefined && { cwd: normalizer.text(header.cwd) }),
    ...(header.parentSession !== undefined && { parentSession: sessionIdToken }),
    ...(header.agentPreset !== undefined && { agentPreset: normalizer.text(header.agentPreset) }),
  }
}

function normalizeEvent(event: SessionEvent, normalizer: Normalizer): SessionEvent {
  const data = normalizeData(event, normalizer)
  if (event.time === 0 && data === event.data) return event
  const { type, seq, sourceEventSeqs, surfaceOp, ignorable } = event
  // Most events have no more than this, and written out it takes a fraction of a copy's time.
  if (sourceEventSeqs === undefined && surfaceOp === undefined && ignorable === undefined) {
    return { type, seq, time: 0, data }
  }
  return { ...event, time: 0, data }
}

function normalizeData(event: SessionEvent, normalizer: Normalizer): JsonObject {
  const { type, data } = event
  if (type === 'assistant/chunk' && isKeptDelta(data, normalizer)) return data
  return normalizer.value(tokenise(event)) as JsonObject
}

/** Whether the data is a delta of which nothing is replaced, as nearly all are: without a walk over its keys. */
function isKeptDelta(data: JsonObject, normalizer: Normalizer): boolean {
  const { turn, step, chunk } = data
  if (typeof turn !== 'number' || typeof step !== 'number' || !isDeltaChunk(chunk) || !hasKeys(data, 3)) {
    return false
  }
  if (chunk.type !== 'tool-call-delta') {
    return isKept(chunk.type, normalizer) && isKept(chunk.text, normalizer)
  }
  const { type, id, name = '', argumentsDelta } = chunk
  return (
    isKept(type, normalizer) &&
    isKept(id, normalizer) &&
    isKept(name, normalizer) &&
    isKept(argumentsDelta, normalizer)
  )
}

function isKept(text: string, normalizer: Normalizer): boolean {
  return normalizer.text(text) === text
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
