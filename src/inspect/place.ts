import type { SessionLog } from '../session-log/types.ts'
import type { InspectedPlace } from './types.ts'

/** Where an event stands. */
export function placeIn(log: SessionLog, seq: number): InspectedPlace {
  const { turn, step } = log.events[seq]?.data ?? {}
  return {
    seq,
    line: log.lines?.[seq] ?? 1,
    ...(typeof turn === 'number' ? { turn } : {}),
    ...(typeof step === 'number' ? { step } : {}),
  }
}
