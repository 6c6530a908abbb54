import type { LiveEvent, LiveSession } from '../host/journal.ts'
import { insertedText, goalPhase, turnOf } from './event-facts.ts'

/** A question to the journal: undefined while the answer is "not yet". */
export type Look = (sessions: readonly LiveSession[]) => true | undefined

type Pick = (sessions: readonly LiveSession[]) => LiveSession | undefined

/** The session of that id. */
export const sessionOf =
  (id: string): Pick =>
  sessions =>
    sessions.find(session => session.id === id)

/** The n-th session (from 1) that another one started, in order of first sight. */
export const childSession =
  (child: number): Pick =>
  sessions =>
    sessions.filter(session => session.parentSession !== undefined)[child - 1]

/**
 * A look that reads each event once, however often it is asked: a journal asks after every event, and going through the
 * log again each time would be quadratic.
 */
function fold<S>(
  pick: Pick,
  start: S,
  step: (state: S, event: LiveEvent) => S,
  done: (state: S) => boolean,
): Look {
  let state = start
  let read = 0
  return sessions => {
    const events = pick(sessions)?.events ?? []
    for (let event = events[read]; event !== undefined; event = events[read]) {
      state = step(state, event)
      read += 1
    }
    return done(state) ? true : undefined
  }
}

/** The latest turn boundary is a turn/start of at least this turn. */
export function turnIsOpen(pick: Pick, minimumTurn: number): Look {
  return fold<boolean>(
    pick,
    false,
    (open, event) => {
      if (event.type === 'turn/start') return (turnOf(event) ?? 0) >= minimumTurn
      return event.type === 'turn/end' ? false : open
    },
    open => open,
  )
}

/** The latest turn boundary is a turn/end. */
export function turnIsClosed(pick: Pick): Look {
  return fold<boolean>(
    pick,
    false,
    (closed, event) => {
      if (event.type === 'turn/end') return true
      return event.type === 'turn/start' ? false : closed
    },
    closed => closed,
  )
}

/** Some turn of at least this number has ended. Turns that a fork inherited are its parent's and don't count. */
export function turnHasEnded(pick: Pick, minimumTurn: number): Look {
  return fold<boolean>(
    pick,
    false,
    (ended, event) => {
      if (event.type === 'session/end-seed') return false
      return ended || (event.type === 'turn/end' && (turnOf(event) ?? 0) >= minimumTurn)
    },
    ended => ended,
  )
}

/** The latest goal/change has this phase. */
export function goalIsIn(pick: Pick, phase: string): Look {
  return fold<string | undefined>(
    pick,
    undefined,
    (latest, event) => (event.type === 'goal/change' ? goalPhase(event) : latest),
    latest => latest === phase,
  )
}

/** A message whose text contains this has been put into the inbox. */
export function inboxHasTaken(pick: Pick, text: string): Look {
  return fold<boolean>(
    pick,
    false,
    (taken, event) => taken || insertedText(event).some(inserted => inserted.includes(text)),
    taken => taken,
  )
}

/** An event of this type has come after the latest turn/end. */
export function eventFollowsTurnEnd(pick: Pick, type: string): Look {
  return fold<'no turn/end' | 'turn/end' | 'followed'>(
    pick,
    'no turn/end',
    (state, event) => {
      if (event.type === 'turn/end') return 'turn/end'
      return state === 'turn/end' && event.type === type ? 'followed' : state
    },
    state => state === 'followed',
  )
}
