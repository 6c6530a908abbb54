import { asObject, asText } from '../../session-log/json-parts.ts'
import { runsOf } from '../../session-log/runs.ts'
import type { SessionEvent, SessionLog } from '../../session-log/types.ts'
import { hasTimes, msBetween } from '../stream-times.ts'
import { quoted } from './printable.ts'
import { later, words } from './words.ts'

/** Deltas of one block that come one after the other. */
export interface DeltaGroup {
  /** The seq after that of the last. */
  readonly end: number
  readonly detail: string
}

/** The deltas that begin with an event; undefined where it is none. */
export function deltasFrom(log: SessionLog, seq: number): DeltaGroup | undefined {
  const key = keyOf(log.events[seq])
  if (key === undefined) return undefined
  let end = seq
  let text = ''
  for (let event = log.events[end]; keyOf(event) === key; event = log.events[end]) {
    text += textOf(event)
    end += 1
  }
  const chunk = asObject(log.events[seq]?.data.chunk)
  const ms = msOf(log, seq, end)
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

/** Undefined where the log doesn't tell: it has no times, and no two of the deltas stand in one row. */
function msOf(log: SessionLog, start: number, end: number): number | undefined {
  if (hasTimes(log)) return end - start > 1 ? msBetween(log.events, start, end - 1) : undefined
  const gaps = runsOf(log.events)
    .filter(run => run.start >= start && run.end <= end)
    .map(run => msBetween(log.events, run.start, run.end - 1))
  return gaps.length === 0 ? undefined : gaps.reduce((sum, gap) => sum + gap)
}
