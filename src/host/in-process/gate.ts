import { setImmediate } from 'node:timers/promises'

import { slot } from './scope.ts'

/** How long one piece of work holds up the next, in ms: by then it is waiting for something, and no core is busy. */
const longestHold = 1000

/**
 * Admits one piece of work at a time, in order of arrival, and lets the event loop turn between two: mounting a
 * composition keeps a core busy, and many at once would stall every other run for seconds. Work that goes on for longer
 * than a second (a plugin that never starts, say) lets the next begin.
 */
export async function admitted<T>(work: () => Promise<T>): Promise<T> {
  const before = slot.gate
  const { promise, resolve } = Promise.withResolvers<undefined>()
  slot.gate = promise.then(() => undefined)
  await before
  const timer = setTimeout(() => resolve(undefined), longestHold)
  try {
    await setImmediate()
    return await work()
  } finally {
    clearTimeout(timer)
    resolve(undefined)
  }
}
