import type { SessionLog } from '../session-log/types.ts'
import type { Difference } from './difference.ts'
import { agentStdout, expectedStdout, readFrames } from './frames.ts'
import { IdentityMap, type IdSighting } from './identity-map.ts'
import type { NormalizeContext } from './normalize-context.ts'
import { pairFinder } from './pair-finder.ts'
import { sessionDifference } from './session-frames.ts'

/** What one side says, as it was recorded or as the run gave it, with what is that side's own. */
export interface Said<T> {
  readonly raw: T
  readonly context: NormalizeContext
}

/** One surface on both sides. */
export interface IdentityPair<T> {
  readonly name: string
  readonly expected: Said<T>
  readonly actual: Said<T>
  /** How many frames or events are equal but for ids; what follows is not looked at. */
  readonly equal: number
}

/** Everything of a run that has ids. */
export interface IdentitySurfaces {
  /** The primary's first. */
  readonly logs: readonly IdentityPair<SessionLog>[]
  /** Absent where nothing is expected of it. */
  readonly stdout?: IdentityPair<string> | undefined
}

/**
 * Checks that recorded ids and live ids map one to one, through all logs and standard output: where the recording names
 * one session, message or thing twice, the run must do so too. A token, and a UUID of zeros, stand for any one id; an
 * id that is the recorded one to the letter was replayed with a model's words and says nothing.
 *
 * @returns the first contradiction of each surface
 */
export function compareIdentities({ logs, stdout }: IdentitySurfaces): Difference[] {
  const map = new IdentityMap()
  const found: (Difference | undefined)[] = []
  // A header says whose log it is: that comes before whatever logs say of each other.
  const headers = logs.map(pair => map.firstContradiction(pair.name, headerSightings(pair)))
  for (const [at, pair] of logs.entries()) {
    found.push(headers[at] ?? map.firstContradiction(pair.name, eventSightings(pair)))
  }
  if (stdout !== undefined) {
    found.push(
      map.firstContradiction('stdout', frameSightings(stdout)) ?? sessionDifference(stdout.actual.raw),
    )
  }
  return found.filter(difference => difference !== undefined)
}

function* headerSightings({ expected, actual }: IdentityPair<SessionLog>): Generator<IdSighting> {
  const [was, is] = [expected.raw.header, actual.raw.header]
  yield { index: -1, path: 'id', was: was.id, is: is.id }
  if (was.parentSession === undefined || is.parentSession === undefined) return
  yield { index: -1, path: 'parentSession', was: was.parentSession, is: is.parentSession }
}

function* eventSightings({ expected, actual, equal }: IdentityPair<SessionLog>): Generator<IdSighting> {
  const find = pairFinder(expected.context, actual.context)
  for (const [index, { data }] of expected.raw.events.slice(0, equal).entries()) {
    const live = actual.raw.events[index]
    if (live !== undefined) yield* find(index, { data }, { data: live.data })
  }
}

function* frameSightings({ expected, actual, equal }: IdentityPair<string>): Generator<IdSighting> {
  const find = pairFinder(expected.context, actual.context)
  const live = Array.from(readFrames(actual.raw, agentStdout), ({ value }) => value)
  let index = 0
  for (const { value } of readFrames(expected.raw, expectedStdout)) {
    const frame = live[index]
    if (index === equal || frame === undefined) return
    yield* find(index, value, frame)
    index += 1
  }
}
