import type { SessionLog } from '../../session-log/types.ts'
import { hasTimes, msBetween, StreamTimes } from '../stream-times.ts'
import type { InspectedSession } from '../types.ts'
import { deltasFrom } from './delta-group.ts'
import { describeEvent } from './describe-event.ts'
import { fit, quoted } from './fit.ts'
import { later, words } from './words.ts'

/**
 * A session as lines: who it is, then its events, each with its seq, and in a log that has times with the ms since the
 * first.
 *
 * @param indent - what every line begins with
 */
export function* sessionLines(session: InspectedSession, log: SessionLog, indent: string): Generator<string> {
  yield fit(`${indent}${titleOf(session)}`)
  const { events, header } = log
  const inherited = Math.min(header.seedLength ?? 0, events.length)
  const timed = hasTimes(log)
  const times = new StreamTimes(log)
  const line = (seq: number, depth: number, text: string): string => {
    const time = timed ? `${later(msBetween(events, 0, seq)).padStart(12)}  ` : ''
    return fit(`${indent}  ${String(seq).padStart(5)} ${time}${'  '.repeat(depth)}${text}`)
  }
  if (inherited > 0)
    yield line(0, 0, `… ${inherited} events inherited from ${session.lineage.parent ?? 'its parent'}`)
  const cutOff = new Set(session.modelCalls.filter(call => call.unterminated).map(call => call.seq))
  let depth = 0
  let seq = inherited
  for (let event = events[seq]; event !== undefined; event = events[seq]) {
    const { type } = event
    if (type === 'turn/start' || type === 'turn/end') depth = 0
    if (type === 'step/start' || type === 'step/end') depth = 1
    const deltas = deltasFrom(log, seq, times)
    yield line(
      seq,
      depth,
      words(type, cutOff.has(seq) && '(no finish)', deltas?.detail ?? describeEvent(event)),
    )
    if (type === 'turn/start') depth = 1
    if (type === 'step/start') depth = 2
    seq = deltas?.end ?? seq + 1
  }
  if (session.partial) yield fit(`${indent}        … what comes after can't be read`)
}

function titleOf({ name, id, lineage, headers }: InspectedSession): string {
  const { parent, label, delegationDepth } = lineage
  const [route] = headers
  return words(
    name,
    id,
    [route?.provider, route?.model].filter(part => part !== undefined).join('/'),
    parent !== undefined && `child of ${parent}`,
    label !== undefined && quoted(label),
    delegationDepth > 0 && `depth ${delegationDepth}`,
  )
}
