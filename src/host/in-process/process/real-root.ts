import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

import { slot } from '../scope.ts'

/**
 * The folder that holds everything runs of this process put on the real disk, and what they see as the system's
 * temporary folder: plugins keep the first folder they make there for the life of the process. Made on first use,
 * removed when the process ends.
 */
export function realRoot(): string {
  if (slot.realRoot !== undefined) return slot.realRoot
  // Resolved, so that a working directory below it has only one spelling.
  const made = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'acp-snapshot-')))
  fs.mkdirSync(path.join(made, 'tmp'))
  slot.realRoot = made
  process.on('exit', () => fs.rmSync(made, { recursive: true, force: true, maxRetries: 3 }))
  return made
}

/** What code inside a run gets from `os.tmpdir()`. */
export function sharedTemp(): string {
  return path.join(realRoot(), 'tmp')
}
