import type { Stats } from 'node:fs'

/** What lies at a path, as a message calls it. Look before reading: to read a pipe or a device may never end. */
export function fileKind(
  found: Pick<Stats, 'isFile' | 'isDirectory' | 'isFIFO' | 'isSocket' | 'isSymbolicLink'>,
): string {
  if (found.isFile()) return 'a file'
  if (found.isDirectory()) return 'a folder'
  if (found.isFIFO()) return 'a pipe'
  if (found.isSocket()) return 'a socket'
  return found.isSymbolicLink() ? 'a link' : 'a device'
}
