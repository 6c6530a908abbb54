import type { JsonObject, SessionEvent, SessionHeader, SessionLog } from '../../src/session-log/types.ts'

export const primaryId = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'

/** A log with one event for each `[type, data]`. */
export function sessionLog(
  events: readonly (readonly [type: string, data?: JsonObject])[] = [],
  header: Partial<SessionHeader> = { cwd: '/tmp/run' },
): SessionLog {
  const whole: SessionHeader = {
    type: 'session',
    version: 0,
    id: primaryId,
    createdAt: 1_700_000_000_000,
    delegationDepth: 0,
    ...header,
  }
  return {
    file: 'scenarios/one/session.jsonl',
    header: whole,
    headerLine: JSON.stringify(whole),
    events: events.map(([type, data = {}], seq): SessionEvent => ({
      type,
      seq,
      time: 1_700_000_000_000 + seq,
      data,
    })),
  }
}
