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
  const data = Object.hasOwn(tokenised, event.type) ? tokenised[event.type]?.(event.data) : undefined
  return { ...event, time: 0, data: normalizer.value(data ?? event.data) as JsonObject }
}

/** What is replaced in an event's data whatever its strings hold, by event type. */
const tokenised: Readonly<Record<string, (data: JsonObject) => JsonObject>> = {
  'hook/result': data => replacePresent(data, { durationMs: 0 }),
  'request/header': data =>
    isObject(data.header)
      ? { ...data, header: replacePresent(data.header, { system: systemToken, tools: toolsToken }) }
      : data,
}

function replacePresent(object: JsonObject, replacements: JsonObject): JsonObject {
  const present = Object.entries(replacements).filter(([key]) => Object.hasOwn(object, key))
  return { ...object, ...Object.fromEntries(present) }
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
