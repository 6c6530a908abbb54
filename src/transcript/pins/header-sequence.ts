import { asArray, asObject, asText } from '../../session-log/json-parts.ts'
import type { JsonValue, SessionEvent, SessionLog } from '../../session-log/types.ts'
import type { Normalizer } from '../normalizer.ts'
import { equalValues } from '../value-difference.ts'

/** The tools of a request, in order. @public */
export type ToolList = readonly JsonValue[]

/** What a model request begins with, as far as a pin owns it; normalised. */
export interface RequestHeader {
  /** Of the event. */
  readonly seq: number
  /** `initial`, `resume` or `change`; empty where the event names none. */
  readonly reason: string
  /** Undefined where the header has no system prompt. */
  readonly system: string | undefined
  /** Undefined where the header has no list of tools. */
  readonly tools: ToolList | undefined
}

/** The request headers of a session, in order: the first, then each change. */
export interface HeaderSequence {
  readonly headers: readonly RequestHeader[]
}

/**
 * Collects the request headers of a log. What a fork has inherited is its parent's: its own first header begins the
 * sequence, whatever its reason. A `resume` with the prompt and the tools of the one before it is no change.
 *
 * @param log - as the agent wrote it: a normalised log holds tokens in their place
 */
export function headerSequence(log: SessionLog, normalizer: Normalizer): HeaderSequence {
  const { seedLength = 0 } = log.header
  const headers: RequestHeader[] = []
  for (const event of log.events) {
    if (event.type !== 'request/header' || event.seq < seedLength) continue
    const header = requestHeader(event, normalizer)
    if (header.reason !== 'resume' || !isRepeated(headers.at(-1), header)) headers.push(header)
  }
  return { headers }
}

function requestHeader({ seq, data }: SessionEvent, normalizer: Normalizer): RequestHeader {
  const { system, tools } = asObject(data.header) ?? {}
  return {
    seq,
    reason: asText(data.reason) ?? '',
    system: typeof system === 'string' ? normalizer.text(system) : undefined,
    tools: Array.isArray(tools) ? asArray(normalizer.value(tools)) : undefined,
  }
}

function isRepeated(before: RequestHeader | undefined, { system, tools }: RequestHeader): boolean {
  return before !== undefined && before.system === system && equalValues(before.tools, tools)
}
