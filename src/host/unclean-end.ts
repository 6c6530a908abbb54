import { SnapshotError } from '../errors.ts'

/** The error of a composition that was disposed, but not without a plugin's failing. */
export function uncleanEnd(file: string, problem: string): SnapshotError {
  return new SnapshotError(
    'COMPOSITION_FAILED',
    `${file}: a plugin failed while the composition was disposed: ${problem}. Mend its clean-up.`,
    { details: { file, problem } },
  )
}
