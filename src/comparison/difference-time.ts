import type { ScenarioRun } from '../run-scenario.ts'
import type { Difference } from '../transcript/index.ts'

/** Puts in when it came about: the time of the event or frame, or of the last one before it. */
export function timed(difference: Difference, { transcript }: Pick<ScenarioRun, 'transcript'>): Difference {
  const { surface, index } = difference
  const isOf = (name: string): boolean => surface === name || surface.endsWith(` of ${name}`)
  const session = transcript.sessions.find(({ name }) => isOf(name))
  const times = isOf('stdout') ? transcript.frameTimes : (session?.raw.events.map(({ time }) => time) ?? [])
  const time = index === -1 ? session?.raw.header.createdAt : (times[index] ?? times.at(-1))
  return time === undefined ? difference : { ...difference, time }
}

/** The order of what came about; what has no time, such as what was left at the end, comes last. */
export function byTime(a: Difference, b: Difference): number {
  const [first, second] = [a.time ?? Infinity, b.time ?? Infinity]
  // Two that have none are infinitely far from each other.
  return first === second ? 0 : first - second
}
