import type { ReplayEntry } from './entry.ts'
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
