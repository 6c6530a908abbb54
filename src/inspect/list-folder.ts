import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'

import { fileKind } from '../file-kind.ts'
import type { FolderEntry } from '../scenario/inventory.ts'
import type { Problems } from './problems.ts'
import type { InspectedFile } from './types.ts'

/**
 * What is directly in a folder. What is neither a file nor a folder is a problem, and left out: to read a pipe or a device
 * may never end.
 */
export async function listFolder(folder: string, problems: Problems): Promise<FolderEntry[]> {
  const entries = await entriesOf(folder, problems)
  const found = await Promise.all(
    entries.map(async (entry): Promise<FolderEntry | undefined> => {
      const { name } = entry
      const file = path.join(folder, name)
      const target = entry.isSymbolicLink() ? await stat(file).catch(() => undefined) : entry
      if (target?.isDirectory() === true) return { name, kind: 'directory' }
      if (target?.isFile() === true) return { name, kind: 'file' }
      refuse(file, target ?? entry, problems)
      return undefined
    }),
  )
  return found.filter(entry => entry !== undefined)
}

/** A link in the place of a workspace may lead to a whole disk. */
const MOST_ENTRIES = 20_000

/**
 * The files of a workspace, at any depth. A link in it is not followed, but for its size.
 *
 * @param left - how many more entries are looked at
 */
export async function workspaceFiles(
  folder: string,
  name: string,
  problems: Problems,
  left = { entries: MOST_ENTRIES },
): Promise<InspectedFile[]> {
  const entries = await entriesOf(path.join(folder, name), problems)
  const within = left.entries >= 0
  left.entries -= entries.length
  if (left.entries < 0) {
    if (within) {
      problems.add(
        path.join(folder, name),
        'not all files of the workspace are listed: there are too many. Move some away.',
      )
    }
    return []
  }
  const files = await Promise.all(
    entries.map(async (entry): Promise<InspectedFile[]> => {
      const inner = `${name}/${entry.name}`
      const file = path.join(folder, inner)
      if (entry.isDirectory()) return await workspaceFiles(folder, inner, problems, left)
      if (entry.isFile() || entry.isSymbolicLink()) return [{ name: inner, size: await sizeOf(file) }]
      refuse(file, entry, problems)
      return []
    }),
  )
  return files.flat()
}

/** Bytes; 0 for what is not there, or not a file. */
export async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch(() => undefined)
  return found?.isFile() === true ? found.size : 0
}

async function entriesOf(folder: string, problems: Problems): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (cause) {
    problems.add(folder, `this folder can't be read: ${(cause as Error).message}.`)
    return []
  }
}

function refuse(
  file: string,
  found: Pick<Dirent, keyof Parameters<typeof fileKind>[0]>,
  problems: Problems,
): void {
  const kind = fileKind(found)
  const what = kind === 'a link' ? 'a link that leads nowhere' : kind
  problems.add(
    file,
    `this is ${what}, where a file or a folder belongs. Move it away, or put a file in its place.`,
  )
}
