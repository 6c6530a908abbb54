import { isDeepStrictEqual } from 'node:util'

import { sourceKind } from '../session-log/source-kind.ts'
import type { JsonObject, JsonValue, SessionEvent, SessionLog } from '../session-log/types.ts'
import type { StreamChunk } from './chunk.ts'
import type { ReplayEntry } from './entry.ts'

/** What a session's title calls have as their `purpose`. */
export const titlePurpose = 'session-title'

/** A call for a session's title, as the log holds it: what was asked, and the title that came of it. */
export interface TitleCall {
  /** The seq of the request. */
  readonly seq: number
  readonly messages: readonly JsonValue[]
  readonly entry: ReplayEntry
}

/**
 * Reads the calls for titles out of a log, which keeps the request and the title, not the stream. A request that no
 * title came of is answered by a failure; so is one whose title was overtaken by that of a later request.
 */
export function deriveTitleCalls(log: SessionLog): TitleCall[] {
  const calls: TitleCall[] = []
  const own = log.events.slice(log.header.seedLength ?? 0)
  for (const [index, event] of own.entries()) {
    if (event.type !== 'session/title-llm-request') continue
    const { messages } = event.data
    const title = titleOf(event, own, index + 1)
    const entry = title === undefined ? noTitle : answer(title)
    calls.push({ seq: event.seq, messages: Array.isArray(messages) ? messages : [], entry })
  }
  return calls
}

/** The title that was made of the same messages, before the next request. */
function titleOf(request: SessionEvent, events: readonly SessionEvent[], from: number): string | undefined {
  for (let index = from; index < events.length; index += 1) {
    const event = events[index]
    if (event === undefined || event.type === request.type) return undefined
    if (event.type !== 'session/title' || !isOf(request, event.data)) continue
    return typeof event.data.title === 'string' ? event.data.title : undefined
  }
  return undefined
}

function isOf(request: SessionEvent, { source, messageSeqs }: JsonObject): boolean {
  return sourceKind(source) === 'provider' && isDeepStrictEqual(messageSeqs, request.data.messageSeqs)
}

const noTitle: ReplayEntry = {
  kind: 'throw',
  chunks: [],
  message: 'no title came of this call when it was recorded',
  code: 'NO_TITLE_RECORDED',
}

function answer(title: string): ReplayEntry {
  const chunks: StreamChunk[] = [
    { type: 'block-start', index: 0, blockType: 'text' },
    { type: 'text-delta', index: 0, text: title },
    { type: 'block-end', index: 0, block: { type: 'text', text: title } },
    { type: 'finish', reason: { kind: 'stop' } },
  ]
  return { kind: 'chunks', chunks }
}
