import { asObject } from '../session-log/json-parts.ts'
import type { JsonObject } from '../session-log/types.ts'
import type { EventRule } from './rule.ts'
import { systemToken, toolsToken } from './tokens.ts'

/** How long a hook took differs from run to run. */
export const hookDurationRule: EventRule = event =>
  event.type === 'hook/result' ? { ...event, data: replacePresent(event.data, { durationMs: 0 }) } : event

/** What the pins hold is left out of logs; whether there is such a thing stays. */
export const requestHeaderRule: EventRule = event => {
  const header = event.type === 'request/header' ? asObject(event.data.header) : undefined
  if (header === undefined) return event
  const tokenised = replacePresent(header, { system: systemToken, tools: toolsToken })
  return { ...event, data: { ...event.data, header: tokenised } }
}

function replacePresent(object: JsonObject, replacements: JsonObject): JsonObject {
  const present = Object.entries(replacements).filter(([key]) => Object.hasOwn(object, key))
  return { ...object, ...Object.fromEntries(present) }
}
