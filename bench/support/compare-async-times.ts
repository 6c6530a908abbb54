import type { Times } from './compare-times.ts'
import { median } from './median.ts'

const ROUNDS = 15
const WARM_UP = 5

/** {@link compareTimes} for work that waits. All garbage of one is collected before the other begins. */
export async function compareAsyncTimes(
  base: () => Promise<unknown>,
  work: () => Promise<unknown>,
): Promise<Times> {
  const times = { base: [] as number[], work: [] as number[] }
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    const pair = { base: await timeOf(base), work: await timeOf(work) }
    if (round < WARM_UP) continue
    times.base.push(pair.base)
    times.work.push(pair.work)
  }
  return { base: median(times.base), work: median(times.work) }
}

const kept: unknown[] = []

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  if (gc === undefined) throw new Error('run this by "npm run bench", which exposes the garbage collector')
  gc({ type: 'major', execution: 'sync' })
  const start = performance.now()
  kept[0] = await work()
  const time = performance.now() - start
  kept.length = 0
  return time
}
