import { SnapshotError } from '../../src/errors.ts'

/** The SnapshotError that the action throws; anything else fails the test. */
export function thrown(action: () => unknown): SnapshotError {
  try {
    action()
  } catch (error) {
    if (error instanceof SnapshotError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}
