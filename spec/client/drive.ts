import { driveScript } from '../../src/client/index.ts'
import type { DriveOptions, DriveResult } from '../../src/client/index.ts'
import type { SnapshotError } from '../../src/errors.ts'
import type { PermissionAnswer, Step } from '../../src/scenario/index.ts'
import type { TestHost } from './test-agent.ts'

type More = Partial<Omit<DriveOptions, 'host' | 'script'>> & {
  readonly permissionAnswers?: readonly PermissionAnswer[]
}

/** The two steps that open a session. */
export const OPEN: readonly Step[] = [{ op: 'initialize' }, { op: 'newSession' }]

export function drive(host: TestHost, steps: readonly Step[], more: More = {}): Promise<DriveResult> {
  const { permissionAnswers = [], ...options } = more
  return driveScript({ host, script: { steps, permissionAnswers }, ...options })
}

/** Opens a session, then drives; resolves with the error that the run must throw. */
export async function failure(
  host: TestHost,
  steps: readonly Step[],
  more: More = {},
): Promise<SnapshotError> {
  try {
    await drive(host, [...OPEN, ...steps], more)
  } catch (error) {
    return error as SnapshotError
  }
  throw new Error('the run was expected to fail')
}
