import path from 'node:path'

import { SnapshotError } from '../../errors.ts'

/** The calls that walking a tree needs; `node:fs` and memfs both have them. */
export interface ReadableTree {
  lstatSync(file: string, options: { throwIfNoEntry: false }): unknown
  readdirSync(folder: string, options: { withFileTypes: true }): unknown
  readFileSync(file: string): unknown
}

interface TreeEntry {
  readonly name: unknown
  isDirectory(): boolean
  isFile(): boolean
}

/**
 * The regular files below a folder, by their path relative to it with `/` between, in order of their names. Links are
 * not followed. Of a folder that is not there: none.
 *
 * @param most - how many bytes are read in all
 * @throws SnapshotError with code `STEP_FAILED`, naming the file or folder that can't be read
 */
export function readTree(tree: ReadableTree, folder: string, most = Infinity): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  let before = 0
  const read = (file: string): Buffer => {
    // A sparse file may be of any size: look before reading.
    const { size } = tree.lstatSync(file, { throwIfNoEntry: false }) as { readonly size: number }
    if (before + size > most) throw tooBig(file, size, before, most)
    const content = Buffer.from(tree.readFileSync(file) as Buffer)
    before += content.length
    return content
  }
  const visit = (at: string, prefix: string): void => {
    const entries = readable(at, () => tree.readdirSync(at, { withFileTypes: true }) as readonly TreeEntry[])
    const named = entries.map(entry => ({ entry, name: String(entry.name) }))
    for (const { entry, name } of named.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const inner = path.join(at, name)
      if (entry.isDirectory()) visit(inner, `${prefix}${name}/`)
      else if (entry.isFile())
        files.set(
          prefix + name,
          readable(inner, () => read(inner)),
        )
    }
  }
  const there = readable(folder, () => tree.lstatSync(folder, { throwIfNoEntry: false }))
  if (there !== undefined) visit(folder, '')
  return files
}

function readable<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    if (cause instanceof SnapshotError) throw cause
    throw unreadable(file, cause)
  }
}

function unreadable(file: string, cause: unknown): SnapshotError {
  // Node puts this character for bytes that are no text, and then finds nothing under the name.
  const isText = !path.basename(file).includes('\ufffd')
  const problem = isText
    ? // Node's message goes on with the path.
      `this can't be read: ${String((cause as Error).message.split(',')[0])}. Have the agent remove it.`
    : "this can't be read: its name is not UTF-8. Have the agent give it another name, or remove it."
  return new SnapshotError('STEP_FAILED', `${inShort(file)}: ${problem}`, { cause, details: { file } })
}

function tooBig(file: string, size: number, before: number, most: number): SnapshotError {
  return new SnapshotError(
    'STEP_FAILED',
    `${inShort(file)}: this file has ${size} bytes, and the files before it ${before}: more than the ${most} that are ` +
      'read of a folder in all. Have the agent remove it, or write less.',
    { details: { file, size, before, most } },
  )
}

function inShort(file: string): string {
  return file.length <= 400 ? file : `${file.slice(0, 240)}…${file.slice(-120)}`
}
