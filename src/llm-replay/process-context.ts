import { realpathSync } from 'node:fs'
import os from 'node:os'

import type { NormalizeContext } from '../transcript/index.ts'

/** What a run has of its own where it is a process: its folders, as its code sees them. */
export function processContext(): NormalizeContext {
  const { DSH_SNAPSHOT_SPILL_ROOT: spill, DSH_SNAPSHOT_SESSIONS_ROOT: sessions, TMPDIR: temp } = process.env
  return {
    cwds: withAlias(process.cwd()),
    sessionIds: [],
    spillRoots: spill === undefined ? [] : withAlias(spill),
    homes: withAlias(os.homedir()),
    // In a run, the two are not the same folder.
    temps: [...(temp === undefined ? [] : withAlias(temp)), ...withAlias(os.tmpdir())],
    sessionRoots: sessions === undefined ? [] : withAlias(sessions),
  }
}

/** A folder's own path and the one that its links lead to, which a plugin may have resolved. */
function withAlias(folder: string): string[] {
  try {
    return [...new Set([folder, realpathSync(folder)])]
  } catch {
    // It need not be there yet.
    return [folder]
  }
}
