import { SnapshotError } from '../../../src/errors.ts'

/** What a call throws or a promise rejects with, as one of our errors; nothing else will do. */
export async function problemOf(work: () => unknown): Promise<SnapshotError> {
  const error = await thrownBy(work)
  if (error instanceof SnapshotError) return error
  throw error
}

/** Whatever a call throws or a promise rejects with. */
export async function thrownBy(work: () => unknown): Promise<unknown> {
  try {
    await work()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}
