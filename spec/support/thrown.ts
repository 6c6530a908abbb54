import { SnapshotError } from '../../src/errors.ts'

/** Whatever a call throws or a promise rejects with. */
export async function thrownBy(work: () => unknown): Promise<unknown> {
  try {
    await work()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

/** What a call throws or a promise rejects with, as one of our errors; nothing else will do. */
export async function problemOf(work: () => unknown): Promise<SnapshotError> {
  return ours(await thrownBy(work))
}

/** The same for a call that throws at once. */
export function thrown(call: () => unknown): SnapshotError {
  try {
    call()
  } catch (error) {
    return ours(error)
  }
  throw new Error('nothing was thrown')
}

function ours(error: unknown): SnapshotError {
  if (error instanceof SnapshotError) return error
  throw error
}
