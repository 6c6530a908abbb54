import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

import { onTestFinished } from 'vitest'

/** A folder of the running test's own with these files, removed when it ends. */
export function tempFolder(
  files: Readonly<Record<string, string>> = {},
  parent = os.tmpdir(),
  prefix = 'spec-',
): string {
  const folder = realpathSync(mkdtempSync(path.join(parent, prefix)))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
  return folder
}
