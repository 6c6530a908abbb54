import type { LiveEvent, LiveSession } from '../host/journal.ts'
import type { OutputTap } from './frame-tap.ts'
import { turnOf } from './event-facts.ts'
import { quote } from './shorten.ts'

const SHOWN = 6

/**
 * What a session has logged last, for a message: the latest few events with their turns, repetitions folded into one
 * (`assistant/chunk (turn 1) ×12`).
 *
 * @param session - undefined where the journal has no such session
 * @param sessions - all there are, named where the one asked for is missing
 */
export function describeJournal(session: LiveSession | undefined, sessions: readonly LiveSession[]): string {
  if (session === undefined) {
    if (sessions.length === 0) return 'no session in the journal'
    const names = sessions
      .slice(0, SHOWN)
      .map(({ id, parentSession }) => (parentSession === undefined ? id : `${id} (a child)`))
    const rest = sessions.length - names.length
    return `no such session in the journal, which has ${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
  }
  const groups: { readonly name: string; times: number }[] = []
  let at = session.events.length
  for (let event = session.events[at - 1]; event !== undefined; event = session.events[at - 1]) {
    const name = nameOf(event)
    const oldest = groups.at(-1)
    if (oldest?.name === name) oldest.times += 1
    else if (groups.length === SHOWN) break
    else groups.push({ name, times: 1 })
    at -= 1
  }
  const shown = groups.reverse().map(({ name, times }) => (times === 1 ? name : `${name} ×${times}`))
  return `session ${session.id}: ${at > 0 ? '… ' : ''}${shown.join(', ')}`
}

/** The latest text that the agent sent, for a message. */
export function describeMessage(last: string | undefined): string {
  return last === undefined ? 'no message of the agent' : `message of the agent ${quote(last)}`
}

/** What of a frame has come and not ended, for a message; empty where there is none. */
export function describeUnfinished(unfinished: OutputTap['unfinished']): string {
  if (unfinished === undefined) return ''
  const { bytes, start } = unfinished
  return `; half a frame on standard output, ${bytes} bytes without the end of a line: ${quote(start)}`
}

function nameOf(event: LiveEvent): string {
  const turn = turnOf(event)
  return turn === undefined ? event.type : `${event.type} (turn ${turn})`
}
