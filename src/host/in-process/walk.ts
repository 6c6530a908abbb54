import path from 'node:path'

/** The calls that walking a tree needs; `node:fs` and memfs both have them. */
export interface ReadableTree {
  existsSync(folder: string): boolean
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
 */
export function readTree(tree: ReadableTree, folder: string): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  const visit = (at: string, prefix: string): void => {
    const entries = tree.readdirSync(at, { withFileTypes: true }) as readonly TreeEntry[]
    const named = entries.map(entry => ({ entry, name: String(entry.name) }))
    for (const { entry, name } of named.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.isDirectory()) visit(path.join(at, name), `${prefix}${name}/`)
      else if (entry.isFile())
        files.set(prefix + name, Buffer.from(tree.readFileSync(path.join(at, name)) as Buffer))
    }
  }
  if (tree.existsSync(folder)) visit(folder, '')
  return files
}
