import path from 'node:path'

import type { Scenario, SessionFixture } from './fixtures/index.ts'
import type { RunFolders } from './host/folders/run-folders.ts'

/** What the environment of a run is made from. */
export interface RunEnvironmentSource {
  readonly mode: 'replay' | 'record'
  readonly scenario: Scenario
  readonly folders: RunFolders
  /** Values of the caller, which win. */
  readonly extra: Readonly<Record<string, string>>
}

/** The variables that tell an agent that it runs under a snapshot test, and where its files are. */
export function runEnvironmentValues(source: RunEnvironmentSource): Record<string, string> {
  const { mode, scenario, folders, extra } = source
  const { folder, sessions } = scenario
  return {
    DSH_SNAPSHOT: mode,
    ...(folder === undefined ? {} : recordingFiles(folder, sessions)),
    DSH_SNAPSHOT_SESSIONS_ROOT: folders.sessions,
    DSH_SNAPSHOT_SPILL_ROOT: folders.spill,
    DSH_HOME: path.join(folders.cwd, '.dsh'),
    DSH_AGENTS_HOME: path.join(folders.cwd, '.agents'),
    ...extra,
  }
}

function recordingFiles(folder: string, sessions: readonly SessionFixture[]): Record<string, string> {
  const at = (name: string): string => path.join(folder, name)
  const [primary, ...children] = sessions
  if (primary === undefined) return {}
  const childFiles = children.map(child => at(child.name)).join(path.delimiter)
  return {
    DSH_SNAPSHOT_FILE: at(primary.name),
    ...(primary.override === undefined ? {} : { DSH_SNAPSHOT_OVERRIDE: at('replay.override.json') }),
    ...(childFiles === '' ? {} : { DSH_SNAPSHOT_CHILD_FILES: childFiles }),
  }
}
