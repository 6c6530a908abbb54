import { setImmediate } from 'node:timers/promises'

import { slot } from './scope.ts'

/**
 * Admits one piece of work at a time, in order of arrival, and lets the event loop turn between two: mounting a
 * composition keeps a core busy, and many at once would stall every other run for seconds.
 */
export async function admitted<T>(work: () => Promise<T>): Promise<T> {
  const before = slot.gate
  const { promise, resolve } = Promise.withResolvers<undefined>()
  slot.gate = promise.then(() => undefined)
  await before
  try {
    await setImmediate()
    return await work()
  } finally {
    resolve(undefined)
  }
}
