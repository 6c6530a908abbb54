import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

import { SnapshotError } from '../../errors.ts'
import { slot } from '../in-process/scope.ts'

/**
 * The folder that holds everything runs of this process put on the real disk, and what they see as the system's
 * temporary folder. It is there while a run is: a test runner may kill its workers, which then clean nothing up.
 *
 * Its path stays the same for the life of the process, and so do the folders in its temporary folder, because plugins
 * keep the first one that they make there.
 */
export interface RealRoot {
  readonly path: string
  /** How many runs need it now. */
  holders: number
  /** Names of the folders in its temporary folder when it was last removed. */
  kept: readonly string[]
}

/** How long the key of a run is, in characters: its folders are below one of that name. */
export const keyLength = 14

/** Below the root. Its path is as long as that of a run's own temporary folder, which a process of its own has instead. */
const temp = path.join('shared'.padEnd(keyLength, '-'), 'tmp')

/** Makes the root unless it is there, and keeps it until it is released as often as it was held. */
export function holdRealRoot(): string {
  const root = (slot.realRoot ??= { path: choosePath(), holders: 0, kept: [] })
  if (root.holders === 0) {
    for (const folder of [temp, ...root.kept.map(name => path.join(temp, name))]) {
      fs.mkdirSync(path.join(root.path, folder), { mode: 0o700, recursive: true })
    }
  }
  root.holders += 1
  return root.path
}

/** Removes the root with its last holder. */
export function releaseRealRoot(): void {
  const root = slot.realRoot
  if (root === undefined || root.holders === 0) return
  root.holders -= 1
  if (root.holders > 0) return
  const shared = path.join(root.path, temp)
  // An agent may have removed it.
  if (fs.existsSync(shared)) {
    const entries = fs.readdirSync(shared, { withFileTypes: true })
    root.kept = entries.filter(entry => entry.isDirectory()).map(entry => entry.name)
  }
  discardRealRoot()
}

/** Removes the root, whoever holds it: for the end of the process. */
export function discardRealRoot(): void {
  if (slot.realRoot !== undefined)
    fs.rmSync(slot.realRoot.path, { recursive: true, force: true, maxRetries: 3 })
}

/** What code inside a run gets from `os.tmpdir()`. */
export function sharedTemp(): string {
  return path.join(slot.realRoot?.path ?? os.tmpdir(), temp)
}

/**
 * How long the root's path is, in characters, whatever the temporary folder is called: an agent counts the characters of
 * its requests, which have paths in them. macOS, whose name for it is the longest, leaves room for a name of ours.
 */
const LENGTH = 80

function choosePath(): string {
  const system = os.tmpdir()
  try {
    // Resolved, so that a working directory below it has only one spelling.
    const parent = path.join(fs.realpathSync(system), 'acp-snapshot-')
    const random = 6
    return fs.mkdtempSync(parent.padEnd(LENGTH - random, '-'))
  } catch (cause) {
    throw new SnapshotError(
      'USAGE',
      `${system}: no folder can be made in the system's temporary folder: ${String(cause)}. Runs have their working ` +
        'directories there: make it, or let TMPDIR name another.',
      { cause, details: { folder: system } },
    )
  }
}
