import { SnapshotError } from '../errors.ts'

/** The longest that a timer can wait, ms; with more it would fire at once. */
const longest = 2 ** 31 - 1

/**
 * Waits for work, but not for ever.
 *
 * @param ms - how long to wait; more than a timer can (24 days) is that long
 * @param late - what to say when the time is over, asked for only then
 * @throws SnapshotError with code `DEADLINE_EXCEEDED`
 */
export async function withDeadline<T>(work: PromiseLike<T>, ms: number, late: () => string): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const onTime = (): void => {
    try {
      reject(new SnapshotError('DEADLINE_EXCEEDED', `${late()} (waited ${ms} ms)`, { details: { ms } }))
    } catch (error) {
      // Thrown from here it would end the process.
      reject(error)
    }
  }
  const timer = setTimeout(onTime, Math.min(ms, longest))
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
