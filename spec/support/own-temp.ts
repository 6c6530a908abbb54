import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

import { afterAll, afterEach, beforeEach, vi } from 'vitest'

/**
 * Gives the runs of a whole spec file a temporary folder of their own: other files use the system's at the same time.
 *
 * @returns what gives the names of what runs have left there
 */
export function ownTemp(): () => string[] {
  const temp = mkdtempSync(path.join(realpathSync(os.tmpdir()), 'spec-'))
  afterAll(() => rmSync(temp, { recursive: true }))
  beforeEach(() => {
    vi.stubEnv('TMPDIR', temp)
  })
  afterEach(() => vi.unstubAllEnvs())
  return () => readdirSync(temp).filter(name => name.startsWith('acp-snapshot'))
}
