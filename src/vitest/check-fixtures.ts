import { SnapshotError } from '../errors.ts'
import { problemLine } from '../fixtures/guards/problem.ts'
import { verifyFixtures } from '../fixtures/guards/verify-fixtures.ts'

/**
 * Looks through the files of all scenarios of a folder.
 *
 * @throws SnapshotError `SCENARIO_INVALID`, with a line for each problem
 */
export async function checkFixtures(folder: string): Promise<void> {
  const problems = await verifyFixtures(folder)
  if (problems.length === 0) return
  throw new SnapshotError('SCENARIO_INVALID', problems.map(problemLine).join('\n'), { details: { problems } })
}
