import type fs from 'node:fs'
import { readdir, readFile, readlink, stat } from 'node:fs/promises'
import path from 'node:path'

import type { IFs } from 'memfs'

import { SnapshotError } from '../../errors.ts'

/** What a working directory starts with: a folder to copy, or the text of files by their path in it. */
export type WorkspaceSource = string | Readonly<Record<string, string>>

/** A disk as both `node:fs` and memfs offer it. */
export interface WritableDisk {
  mkdirSync(folder: string, options: { recursive: true }): unknown
  writeFileSync(file: string, content: string | Uint8Array): void
  chmodSync(file: string, mode: number): void
  symlinkSync(target: string, file: string): void
}

/**
 * Puts the first files into a working directory.
 *
 * @throws SnapshotError with code `SCENARIO_INVALID` for a path or a link that leads out of it: what the agent writes
 * would land in the fixtures or beyond
 */
export async function fillWorkspace(source: WorkspaceSource, disk: WritableDisk, cwd: string): Promise<void> {
  try {
    if (typeof source === 'string') await copyFolder(source, disk, cwd)
    else for (const [name, content] of Object.entries(source)) writeText(disk, cwd, name, content)
  } catch (cause) {
    if (cause instanceof SnapshotError) throw cause
    throw invalid(`it can't be put into the working directory: ${String(cause)}. Correct its files`, cause)
  }
}

function writeText(disk: WritableDisk, cwd: string, name: string, content: string): void {
  const file = path.resolve(cwd, name)
  if (!isBelow(file, cwd)) {
    throw invalid(
      `the path ${JSON.stringify(name)} leaves the working directory. Name a file below the working directory`,
    )
  }
  disk.mkdirSync(path.dirname(file), { recursive: true })
  disk.writeFileSync(file, content)
}

async function copyFolder(source: string, disk: WritableDisk, cwd: string): Promise<void> {
  // Parents come before what is in them.
  for (const entry of await readdir(source, { recursive: true, withFileTypes: true })) {
    const from = path.join(entry.parentPath, entry.name)
    const to = path.join(cwd, path.relative(source, from))
    disk.mkdirSync(path.dirname(to), { recursive: true })
    if (entry.isDirectory()) disk.mkdirSync(to, { recursive: true })
    else if (entry.isFile()) {
      const { mode } = await stat(from)
      disk.writeFileSync(to, await readFile(from))
      // Afterwards: what may not be written to could not be filled.
      disk.chmodSync(to, mode & 0o777)
    } else if (entry.isSymbolicLink()) disk.symlinkSync(await innerTarget(from, source), to)
    else throw invalid(`${from} is neither a file, a folder nor a link. Remove it`)
  }
}

/** Where a link leads, relative to its own folder. */
async function innerTarget(link: string, source: string): Promise<string> {
  const target = path.resolve(path.dirname(link), await readlink(link))
  if (target === source || isBelow(target, source)) return path.relative(path.dirname(link), target) || '.'
  throw invalid(`${link} is a link to ${target}, out of the workspace. Put a copy in its place`)
}

function isBelow(file: string, folder: string): boolean {
  return file.startsWith(folder + path.sep)
}

function invalid(problem: string, cause?: unknown): SnapshotError {
  return new SnapshotError('SCENARIO_INVALID', `workspace: ${problem}.`, { cause })
}

/** Narrows memfs to the calls that are used. */
export function asWritable(disk: IFs | typeof fs): WritableDisk {
  return disk
}
