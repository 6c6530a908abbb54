import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { onTestFinished } from 'vitest'

const parent = path.join(import.meta.dirname, '..')

/**
 * A folder with a composition of the running test's own, removed when it ends. It lies in the project, so that the
 * kernel and the plugins that its files name are found as they would be from a user's project.
 */
export function compositionFolder(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(path.join(parent, '.tmp-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
  return folder
}
