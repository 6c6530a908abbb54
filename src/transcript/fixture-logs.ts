import type { JsonObject, SessionEvent, SessionLog } from '../session-log/types.ts'
import { pathRules } from './built-in-rules.ts'
import { requestHeaderRule } from './event-rules.ts'
import { mapStrings } from './map-strings.ts'
import type { NormalizeContext } from './normalize-context.ts'
import { idFinder, uuidPattern } from './session-id-rule.ts'
import type { TextRule } from './text-rule.ts'

const onlyUuid = new RegExp(`^${uuidPattern}$`)

/** What is known of the ids of a run from the fixtures before it. */
export interface EarlierIds {
  /** The earlier ids, by the ids that stand in their places now. */
  readonly known: ReadonlyMap<string, string>
  /** Ids that a new one must not be. */
  readonly taken: ReadonlySet<string>
}

/**
 * The logs of a run as fixtures: what the pins hold and the run's own paths as tokens, no times, and ids as UUIDs that are
 * numbered by first sight through all logs. Another run gives the same, and which ids go together is still told. An id
 * that a model's stream has in it stays: to change a part of what was streamed is to change the recording.
 *
 * @param logs - as the agent wrote them, the primary first
 * @param earlier - ids that are kept
 */
export function fixtureLogs(
  logs: readonly SessionLog[],
  context: NormalizeContext,
  earlier: EarlierIds = { known: new Map(), taken: new Set() },
): SessionLog[] {
  const rename = renaming(logs, earlier)
  return logs.map(log => {
    const paths = pathRules.map(rule => rule.text(context))
    const text: TextRule = value => rename(paths.reduce((current, rule) => rule(current), value))
    const { cwd, parentSession } = log.header
    const header = {
      ...log.header,
      id: rename(log.header.id),
      createdAt: 0,
      ...(cwd === undefined ? {} : { cwd: text(cwd) }),
      ...(parentSession === undefined ? {} : { parentSession: rename(parentSession) }),
    }
    const events = log.events.map((event): SessionEvent => {
      const { data } = requestHeaderRule(event)
      return { ...event, time: 0, data: mapStrings(data, text) as JsonObject }
    })
    return { file: log.file, header, headerLine: JSON.stringify(header), events }
  })
}

/** Gives the ids that are the run's own other names: those that stand alone somewhere, and are in no stream. */
function renaming(logs: readonly SessionLog[], { known, taken }: EarlierIds): TextRule {
  const sessions = logs.map(({ header }) => header.id)
  const find = idFinder(sessions)
  const own = new Set(sessions)
  const streamed = new Set<string>()
  for (const { type, data } of logs.flatMap(({ events }) => events)) {
    mapStrings(data, text => {
      if (type !== 'assistant/chunk') {
        if (onlyUuid.test(text)) own.add(text)
      } else {
        for (const id of find(text)) streamed.add(id)
      }
      return text
    })
  }
  let count = 0
  const named = new Map(known)
  const nameOf = (id: string): string => {
    let name = named.get(id)
    if (name === undefined) {
      do name = numbered((count += 1))
      while (taken.has(name))
      named.set(id, name)
    }
    return name
  }
  return text => {
    let renamed = text
    for (const id of find(text)) {
      if (known.has(id) || (own.has(id) && !streamed.has(id))) renamed = renamed.replaceAll(id, nameOf(id))
    }
    return renamed
  }
}

/** A UUID of version 4 by its looks. */
function numbered(number: number): string {
  return `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`
}
