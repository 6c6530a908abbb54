import fs from 'node:fs'
import { cp, readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

import type { IFs } from 'memfs'

import { SnapshotError } from '../../errors.ts'

/** What a working directory starts with: a folder to copy, or the text of files by their path in it. */
export type WorkspaceSource = string | Readonly<Record<string, string>>

/** A disk as both `node:fs` and memfs offer it. */
export interface WritableDisk {
  mkdirSync(folder: string, options: { recursive: true }): unknown
  writeFileSync(file: string, content: string | Uint8Array): void
}

/** Puts the first files into a working directory. */
export async function fillWorkspace(source: WorkspaceSource, disk: WritableDisk, cwd: string): Promise<void> {
  if (typeof source !== 'string') {
    for (const [name, content] of Object.entries(source)) writeFile(disk, inside(cwd, name), content)
    return
  }
  if (disk === fs) {
    await cp(source, cwd, { recursive: true })
    return
  }
  for (const entry of await readdir(source, { recursive: true, withFileTypes: true })) {
    const from = path.join(entry.parentPath, entry.name)
    const to = path.join(cwd, path.relative(source, from))
    if (entry.isDirectory()) disk.mkdirSync(to, { recursive: true })
    else if (entry.isFile()) writeFile(disk, to, await readFile(from))
  }
}

function writeFile(disk: WritableDisk, file: string, content: string | Uint8Array): void {
  disk.mkdirSync(path.dirname(file), { recursive: true })
  disk.writeFileSync(file, content)
}

function inside(cwd: string, name: string): string {
  const file = path.resolve(cwd, name)
  if (file.startsWith(cwd + path.sep)) return file
  throw new SnapshotError(
    'SCENARIO_INVALID',
    `workspace: the path ${JSON.stringify(name)} leaves the working directory. Name a file below it.`,
  )
}

/** Narrows memfs to the calls that are used. */
export function asWritable(disk: IFs | typeof fs): WritableDisk {
  return disk
}
