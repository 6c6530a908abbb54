import type { InspectedSession, InspectedTotals } from './types.ts'
import { totalUsage } from './usage.ts'

/** The sums over the sessions of a scenario. */
export function sessionTotals(sessions: readonly InspectedSession[]): InspectedTotals {
  return sumOf(
    sessions.map(session => ({
      sessions: 1,
      events: session.events,
      turns: session.turns.length,
      steps: session.steps.length,
      modelCalls: session.modelCalls.length,
      toolCalls: session.toolCalls.length,
      errors: session.errors.length,
      compactions: session.compactions.length,
      usage: session.usage,
    })),
  )
}

/** The sums of sums. */
export function sumOf(parts: readonly InspectedTotals[]): InspectedTotals {
  const sum = (key: Exclude<keyof InspectedTotals, 'usage'>): number =>
    parts.reduce((total, part) => total + part[key], 0)
  return {
    sessions: sum('sessions'),
    events: sum('events'),
    turns: sum('turns'),
    steps: sum('steps'),
    modelCalls: sum('modelCalls'),
    toolCalls: sum('toolCalls'),
    errors: sum('errors'),
    compactions: sum('compactions'),
    usage: totalUsage(parts.map(({ usage }) => usage)),
  }
}
