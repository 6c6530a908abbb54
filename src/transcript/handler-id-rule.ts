import { FirstSight } from './first-sight.ts'
import type { EventRule } from './rule.ts'

/** An id such as `claude-code:PreToolUse:7`: what handles, at which point, and a count. */
const counted = /^(?<dialect>[^:]+):(?<rest>.*:)?(?<count>\d+)$/s

/**
 * Compiles the rule that numbers the handlers of hooks by first sight, those of one dialect together. A hooks plugin counts
 * on from one mount to the next: its count is the state of a module.
 */
export function handlerIdRule(): EventRule {
  const dialects = new Map<string, FirstSight>()
  return event => {
    const { handlerId } = event.data
    if (!event.type.startsWith('hook/') || typeof handlerId !== 'string') return event
    const { dialect, rest = '', count } = counted.exec(handlerId)?.groups ?? {}
    if (dialect === undefined || count === undefined) return event
    let seen = dialects.get(dialect)
    if (seen === undefined) dialects.set(dialect, (seen = new FirstSight()))
    const renumbered = `${dialect}:${rest}${seen.numberOf(count)}`
    return renumbered === handlerId ? event : { ...event, data: { ...event.data, handlerId: renumbered } }
  }
}
