import { standsForAnyId } from './any-id.ts'
import type { Difference } from './difference.ts'

/** One place in which an id stands, on both sides. */
export interface IdSighting {
  /** Position of the frame or event, from 0; -1 for a log's header. */
  readonly index: number
  readonly path: string
  readonly was: string
  readonly is: string
}

/** An id's counterpart, and where they were first seen together. */
interface Counterpart {
  readonly id: string
  readonly where: string
}

/** Which live id goes with which recorded one. */
export class IdentityMap {
  readonly #live = new Map<string, Counterpart>()
  readonly #recorded = new Map<string, Counterpart>()

  /** Takes in what a surface shows, up to the first sighting that doesn't go with those before it. */
  firstContradiction(surface: string, sightings: Iterable<IdSighting>): Difference | undefined {
    for (const sighting of sightings) {
      const { was, is } = sighting
      if (was === is || standsForAnyId(was)) continue
      const live = this.#live.get(was)
      const recorded = this.#recorded.get(is)
      if (live?.id === is) continue
      if (live !== undefined) return otherThanBefore(surface, sighting, live)
      if (recorded !== undefined) return usedTwice(surface, sighting, recorded)
      const where = placeOf(surface, sighting)
      this.#live.set(was, { id: is, where })
      this.#recorded.set(is, { id: was, where })
    }
    return undefined
  }
}

function otherThanBefore(surface: string, sighting: IdSighting, { id, where }: Counterpart): Difference {
  const { was, is } = sighting
  return contradiction(
    surface,
    sighting,
    id,
    `the recording has ${was} here, which is ${id} in this run since ${where}; found ${is}`,
  )
}

function usedTwice(surface: string, sighting: IdSighting, { id, where }: Counterpart): Difference {
  const { was, is } = sighting
  return contradiction(
    surface,
    sighting,
    'an id of its own',
    `the recording has ${was} here and ${id} at ${where}; this run has ${is} for both`,
  )
}

function contradiction(surface: string, sighting: IdSighting, expected: string, found: string): Difference {
  const { index, path, is } = sighting
  const message = `${placeOf(surface, sighting)} names another one than its recording: ${found}`
  return { surface: `ids of ${surface}`, index, path, expected, actual: is, message }
}

function placeOf(surface: string, { index, path }: IdSighting): string {
  if (index === -1) return `${surface} header ${path}`
  return surface === 'stdout' ? `stdout frame ${index + 1} ${path}` : `${surface} event ${index} ${path}`
}
