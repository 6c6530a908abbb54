import { asObject, asText } from '../../session-log/json-parts.ts'
import type { SessionEvent, SessionLog } from '../../session-log/types.ts'
import type { StreamTimes } from '../stream-times.ts'
import { quoted } from './fit.ts'
import { later, words } from './words.ts'

/** Deltas of one block that come one after the other. */
export interface DeltaGroup {
  /** The seq after that of the last. */
  readonly end: number
  readonly detail: string
}

/**
 * The deltas that begin with an event; undefined where it is none.
 *
 * @param times - of the log, asked in its order
 */
export function deltasFrom(log: SessionLog, seq: number, times: StreamTimes): DeltaGroup | undefined {
  const key = keyOf(log.events[seq])
  if (key === undefined) return undefined
  let end = seq
  let text = ''
  for (let event = log.events[end]; keyOf(event) === key; event = log.events[end]) {
    text += textOf(event)
    end += 1
  }
  const chunk = asObject(log.events[seq]?.data.chunk)
  const ms = end - seq > 1 ? times.of(seq, end - seq) : undefined
  const detail = words(
    asText(chunk?.type),
    typeof chunk?.index === 'number' && `block ${chunk.index}`,
    asText(chunk?.name),
    `×${end - seq}`,
    ms !== undefined && later(ms),
    quoted(text),
  )
  return { end, detail }
}

const deltaTypes: ReadonlySet<unknown> = new Set(['text-delta', 'reasoning-delta', 'tool-call-delta'])

/** What deltas of one block have in common; undefined for any other event. */
function keyOf(event: SessionEvent | undefined): string | undefined {
  const chunk = event?.type === 'assistant/chunk' ? asObject(event.data.chunk) : undefined
  if (chunk === undefined || !deltaTypes.has(chunk.type)) return undefined
  return JSON.stringify([event?.data.turn, event?.data.step, chunk.type, chunk.index, chunk.id])
}

function textOf(event: SessionEvent | undefined): string {
  const chunk = asObject(event?.data.chunk)
  return asText(chunk?.text) ?? asText(chunk?.argumentsDelta) ?? ''
}
