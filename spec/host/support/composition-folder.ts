import path from 'node:path'

import { tempFolder } from '../../support/temp-folder.ts'

const parent = path.join(import.meta.dirname, '..')

/**
 * A folder with a composition of the running test's own, removed when it ends. It lies in the project, so that the
 * kernel and the plugins that its files name are found as they would be from a user's project.
 */
export function compositionFolder(files: Readonly<Record<string, string>>): string {
  return tempFolder(files, parent, '.tmp-')
}
