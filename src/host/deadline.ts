import { SnapshotError } from '../errors.ts'

/**
 * Waits for work, but not for ever. The timer does not keep the process alive.
 *
 * @param ms - how long to wait
 * @param late - what to say when the time is over, asked for only then
 * @throws SnapshotError with code `DEADLINE_EXCEEDED`
 */
export async function withDeadline<T>(work: PromiseLike<T>, ms: number, late: () => string): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    reject(new SnapshotError('DEADLINE_EXCEEDED', `${late()} (waited ${ms} ms)`, { details: { ms } }))
  }, ms)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
