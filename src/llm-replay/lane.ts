import type { ReplayEntry, ReplayThrowEntry } from './entry.ts'
import { tellsOfRequests } from './recorded-requests.ts'
import type { SessionScript } from './script.ts'

/** The entries for calls with that purpose; the conversation's own where there is none. */
export function laneOf(
  { entries, auxiliary = {} }: Pick<SessionScript, 'entries' | 'auxiliary'>,
  lane: string | undefined,
): readonly ReplayEntry[] {
  if (lane === undefined) return entries
  // A purpose is anyone's word: it may be the name of what every object has.
  const own = Object.hasOwn(auxiliary, lane) ? auxiliary[lane] : undefined
  return own ?? []
}

/**
 * What a call with a purpose of its own gets in a session of which no calls were recorded, because somebody wrote its
 * script: nobody could have said what answers it, and the conversation does not depend on it. Undefined where there is a
 * recording, which such a call would have to be in.
 */
export function unrecordedAnswer(
  { log }: Pick<SessionScript, 'log'>,
  lane: string,
): ReplayThrowEntry | undefined {
  if (log === undefined || tellsOfRequests(log)) return undefined
  return {
    kind: 'throw',
    chunks: [],
    message: `no answer to a ${JSON.stringify(lane)} call is scripted`,
    code: 'NOT_SCRIPTED',
  }
}
