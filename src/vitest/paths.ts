import { fileURLToPath } from 'node:url'

/** A path as a test file gives it: absolute, relative to the working directory, or a file URL. @public */
export type PathOrUrl = string | URL

/** The path that is meant. */
export function pathOf(given: PathOrUrl): string {
  if (given instanceof URL || given.startsWith('file:')) return fileURLToPath(given)
  return given
}
