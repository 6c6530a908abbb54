import { lstat, realpath, writeFile } from 'node:fs/promises'
import path from 'node:path'

import { SnapshotError } from '../errors.ts'

/**
 * Writes the empty file with which a hang says that it waits.
 *
 * @param name - relative to the working directory
 * @param cwd - the working directory of the run
 * @throws SnapshotError `REPLAY_INVALID` where it can't be written, or where a link or the name leads out of the working
 * directory
 */
export async function writeReadyFile(name: string, cwd: string): Promise<void> {
  const file = path.resolve(cwd, name)
  let obstacle: string | undefined
  try {
    obstacle = await obstacleAt(file, cwd)
    if (obstacle === undefined) await writeFile(file, '')
  } catch (cause) {
    throw invalid(
      file,
      `can't be written: ${String(cause)}. Name one in a folder that is there, or put its folder into the scenario's workspace`,
      cause,
    )
  }
  if (obstacle !== undefined) throw invalid(file, obstacle)
}

/** What is in the way of writing, in words. */
async function obstacleAt(file: string, folder: string): Promise<string | undefined> {
  const there = await lstat(file).catch(() => undefined)
  const parent = await realpath(path.dirname(file))
  // A link is followed by whoever writes, even to what is not there yet.
  if (there?.isSymbolicLink() === true || !isInside(parent, await realpath(folder))) {
    return 'is not inside the working directory, or a link leads out of it. Name one that is inside'
  }
  // Whoever opens a pipe waits for somebody to read it.
  if (there?.isFile() === false) return 'is there already, and no file. Name one that is not there'
  return undefined
}

function isInside(parent: string, folder: string): boolean {
  const relative = path.relative(folder, parent)
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative)
}

function invalid(file: string, problem: string, cause?: unknown): SnapshotError {
  return new SnapshotError('REPLAY_INVALID', `${file}: the ready file of a hang ${problem}.`, {
    cause,
    details: { file },
  })
}
