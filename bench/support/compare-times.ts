import { median } from './median.ts'

const ROUNDS = 41
/** For the compilers; what they leave behind goes with the first rounds. */
const WARM_UP = 20

/** Medians over all rounds, ms. */
export interface Times {
  readonly base: number
  readonly work: number
}

/**
 * Times two pieces of work in turns, so that what else goes on in the machine meets both alike. What each returns is kept
 * while it is timed, as its caller would. The new garbage of one is collected before the other begins.
 */
export function compareTimes(base: () => unknown, work: () => unknown): Times {
  const times = { base: [] as number[], work: [] as number[] }
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    const pair = { base: timeOf(base), work: timeOf(work) }
    if (round < WARM_UP) continue
    times.base.push(pair.base)
    times.work.push(pair.work)
  }
  return { base: median(times.base), work: median(times.work) }
}

const kept: unknown[] = []

function timeOf(work: () => unknown): number {
  if (gc === undefined) throw new Error('run this by "npm run bench", which exposes the garbage collector')
  gc({ type: 'minor', execution: 'sync' })
  const start = performance.now()
  kept[0] = work()
  const time = performance.now() - start
  kept.length = 0
  return time
}
