/**
 * Waits for work, or for the abort: whichever comes first. After an abort it throws the signal's reason, whatever the
 * work itself has made of it.
 *
 * @param start - not called where the signal has aborted before
 */
export async function untilAborted(
  start: () => Promise<void>,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (signal === undefined) return start()
  signal.throwIfAborted()
  const aborted = Promise.withResolvers<undefined>()
  const onAbort = (): void => aborted.resolve(undefined)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    await Promise.race([start(), aborted.promise])
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
  signal.throwIfAborted()
}
