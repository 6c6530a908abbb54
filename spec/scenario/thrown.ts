import { SnapshotError } from '../../src/errors.ts'

/** The library's error that a call throws; fails where it throws none, or another. */
export function thrown(call: () => unknown): SnapshotError {
  try {
    call()
  } catch (error) {
    if (error instanceof SnapshotError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}
