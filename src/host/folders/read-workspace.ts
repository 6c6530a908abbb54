import type { Stats } from 'node:fs'

import { SnapshotError } from '../../errors.ts'
import { fileKind } from '../../file-kind.ts'
import { readTree, type ReadableTree } from './walk.ts'

/** What reading the working directory needs of a disk; `node:fs` and memfs both have it. */
export interface WorkspaceDisk extends ReadableTree {
  realpathSync(folder: string): unknown
}

/** How much of the working directory is kept, in bytes: 256 MiB, all files together. */
export const mostOfWorkspace = 256 * 2 ** 20

/**
 * The files of a run's working directory. An agent can put a link in its place: what that leads to is not the run's, and
 * is not read.
 *
 * @param aliases - the working directory in every spelling that the system gave it when it was made
 * @throws SnapshotError with code `ISOLATION` where something else is in its place now, `STEP_FAILED` for a file that
 * can't be read
 */
export function readWorkspace(
  disk: WorkspaceDisk,
  cwd: string,
  aliases: readonly string[],
): Map<string, Buffer> {
  const problem = whatChanged(disk, cwd, aliases)
  if (problem === undefined) return readTree(disk, cwd, mostOfWorkspace)
  throw new SnapshotError(
    'ISOLATION',
    `${cwd}: the working directory of the run ${problem}. ` +
      'Have the agent leave its working directory where it is: only what it keeps in there is read.',
    { details: { folder: cwd } },
  )
}

function whatChanged(disk: WorkspaceDisk, cwd: string, aliases: readonly string[]): string | undefined {
  try {
    const found = disk.lstatSync(cwd, { throwIfNoEntry: false }) as Stats | undefined
    // To remove it is the agent's right.
    if (found === undefined) return undefined
    if (!found.isDirectory()) return `is now ${fileKind(found)}`
    const real = String(disk.realpathSync(cwd))
    return aliases.includes(real) ? undefined : `now leads to ${real}`
  } catch (cause) {
    return `can't be looked at: ${String((cause as Error).message.split(',')[0])}`
  }
}
