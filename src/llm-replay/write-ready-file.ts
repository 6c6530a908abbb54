import { lstat, realpath, writeFile } from 'node:fs/promises'
import path from 'node:path'

import { SnapshotError } from '../errors.ts'

/**
 * Writes the empty file with which a hang says that it waits.
 *
 * @param name - relative to the working directory
 * @throws SnapshotError `REPLAY_INVALID` where it can't be written, or where a link or the name leads out of the working
 * directory
 */
export async function writeReadyFile(name: string): Promise<void> {
  const file = path.resolve(name)
  let isInside: boolean
  try {
    isInside = await leadsInside(file, process.cwd())
    if (isInside) await writeFile(file, '')
  } catch (cause) {
    throw invalid(
      file,
      `can't be written: ${String(cause)}. Name one in a folder that is there, or put its folder into the scenario's workspace`,
      cause,
    )
  }
  if (!isInside) {
    throw invalid(
      file,
      'is not inside the working directory, or a link leads out of it. Name one that is inside',
    )
  }
}

async function leadsInside(file: string, folder: string): Promise<boolean> {
  const link = await lstat(file).then(
    stats => stats.isSymbolicLink(),
    () => false,
  )
  // A link is followed by whoever writes, even to what is not there yet.
  if (link) return false
  const relative = path.relative(await realpath(folder), await realpath(path.dirname(file)))
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative)
}

function invalid(file: string, problem: string, cause?: unknown): SnapshotError {
  return new SnapshotError('REPLAY_INVALID', `${file}: the ready file of a hang ${problem}.`, {
    cause,
    details: { file },
  })
}
