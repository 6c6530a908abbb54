import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'

/** Kinds of things that may lie where a file belongs, by how a message calls them. */
export const oddFiles: readonly [string, (file: string) => unknown][] = [
  ['a pipe', file => execFileSync('mkfifo', [file])],
  ['a folder', file => mkdirSync(file)],
]
