import { SnapshotError } from '../errors.ts'

/** The longest that a timer can wait, ms; with more it would fire at once. */
const longest = 2 ** 31 - 1

/**
 * Waits for work, but not for ever.
 *
 * @param ms - how long to wait; more than a timer can (24 days) is that long
 * @param late - what to say when the time is over, asked for only then
 * @param signal - ends the wait; its reason is thrown
 * @throws SnapshotError with code `DEADLINE_EXCEEDED`
 */
export async function withDeadline<T>(
  work: PromiseLike<T>,
  ms: number,
  late: () => string,
  signal?: AbortSignal,
): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const onTime = (): void => {
    try {
      reject(new SnapshotError('DEADLINE_EXCEEDED', `${late()} (waited ${ms} ms)`, { details: { ms } }))
    } catch (error) {
      // Thrown from here it would end the process.
      reject(error)
    }
  }
  const onAbort = (): void => reject(signal?.reason)
  const timer = setTimeout(onTime, Math.min(ms, longest))
  signal?.addEventListener('abort', onAbort, { once: true })
  if (signal?.aborted === true) onAbort()
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}

/** How long a composition whose run has failed may take to go, ms. */
const goneWithin = 2000

/**
 * Waits for a disposal after a failure, for two seconds at most. Never throws: the error at hand says more than what goes
 * wrong now, or that it never ends.
 */
export async function settledSoon(going: Promise<unknown> | undefined): Promise<void> {
  await withDeadline(Promise.resolve(going), goneWithin, () => 'not gone').catch(() => undefined)
}
