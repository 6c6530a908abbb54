import type { JsonObject, SessionLog } from '../session-log/types.ts'
import { pathRules } from './built-in-rules.ts'
import type { Difference } from './difference.ts'
import { agentStdout, expectedStdout, readFrames } from './frames.ts'
import { IdentityMap, type IdSighting } from './identity-map.ts'
import type { NormalizeContext } from './normalize-context.ts'
import { idFinder } from './session-id-rule.ts'
import { sessionDifference } from './session-frames.ts'
import { joinKey } from './value-difference.ts'

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

type PairFinder = (index: number, was: JsonObject, is: JsonObject) => Generator<IdSighting>

/** Finds the ids that stand in the same places of two values that are equal but for what is a run's own. */
function pairFinder(expected: NormalizeContext, actual: NormalizeContext): PairFinder {
  const [idsBefore, idsNow] = [idsOutsidePaths(expected), idsOutsidePaths(actual)]
  function* walk(index: number, path: string, was: unknown, is: unknown): Generator<IdSighting> {
    if (typeof was === 'string' && typeof is === 'string') {
      const before = idsBefore(was)
      const now = before.length === 0 ? [] : idsNow(is)
      // What a rule of somebody's own, or a token for a whole text, leaves no trace of can't be told.
      if (before.length !== now.length) return
      for (const [at, id] of before.entries()) yield { index, path, was: id, is: String(now[at]) }
      return
    }
    if (typeof was !== 'object' || typeof is !== 'object' || was === null || is === null) return
    const inArray = Array.isArray(was)
    for (const [key, child] of Object.entries(was)) {
      if (typeof child === 'number') continue
      const there = inArray ? `${path}[${key}]` : joinKey(path, key)
      yield* walk(index, there, child, (is as Readonly<Record<string, unknown>>)[key])
    }
  }
  return (index, was, is) => walk(index, '', was, is)
}

/** The ids of a text but those in a path that a token stands for as a whole. */
function idsOutsidePaths(context: NormalizeContext): (text: string) => string[] {
  const paths = pathRules.map(rule => rule.text(context))
  const find = idFinder(context.sessionIds)
  return text => (find(text).length === 0 ? [] : find(paths.reduce((current, rule) => rule(current), text)))
}
