import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

import { SnapshotError } from '../errors.ts'
import { fileKind } from '../file-kind.ts'
import { parseSessionLog } from '../session-log/index.ts'
import type { ReplayConfig } from './config.ts'
import type { ReplayEntry } from './entry.ts'
import { overrideFileOf, plainLogName, scriptNumberOf } from './names.ts'
import { parseOverride } from './override.ts'
import { buildSessionScripts, type ScriptSource, type SessionScript } from './script.ts'

/** Which files a replay is made from. @public */
export type ReplayFiles = Pick<ReplayConfig, 'file' | 'overrideFile' | 'childFiles'>

/** The environment variables that stand in for files which a config does not name. */
const variables = {
  file: 'DSH_SNAPSHOT_FILE',
  overrideFile: 'DSH_SNAPSHOT_OVERRIDE',
  childFiles: 'DSH_SNAPSHOT_CHILD_FILES',
} as const

/**
 * The files that a config names; those that it leaves out are taken from the environment. `DSH_SNAPSHOT_CHILD_FILES`
 * holds several, separated as in `PATH`.
 *
 * @public
 */
export function replayFiles(
  config: ReplayFiles,
  env: Readonly<Record<string, string | undefined>>,
): ReplayFiles {
  const file = config.file ?? filled(env[variables.file])
  const overrideFile = config.overrideFile ?? filled(env[variables.overrideFile])
  const childFiles =
    config.childFiles ?? filled(env[variables.childFiles])?.split(path.delimiter).filter(Boolean)
  return { file, overrideFile, childFiles }
}

/**
 * Reads and checks the scripts of all sessions, the primary first. An override of a child is taken from beside its log.
 *
 * @throws SnapshotError with code `REPLAY_INVALID` or `SESSION_LOG_INVALID`, naming file and place; also where a file
 * that is named does not exist
 * @public
 */
export function loadSessionScripts(files: ReplayFiles): SessionScript[] {
  if (files.file === undefined) {
    throw new SnapshotError(
      'REPLAY_INVALID',
      `llm-replay: no session log to replay. Name one as "file" in the plugin's config, or set ${variables.file}.`,
    )
  }
  const primary = source(files.file, files.overrideFile)
  return buildSessionScripts([
    primary,
    ...(files.childFiles ?? []).map(file => source(file, childOverride(file))),
  ])
}

/** No setting names the override of a child: it lies beside the log, `replay.override.<n>.json` by `session.<n>.jsonl`. */
function childOverride(file: string): string | undefined {
  const number = scriptNumberOf(file)
  if (number === undefined || number === 0) return undefined
  const override = path.join(path.dirname(file), overrideFileOf(number))
  return existsSync(override) ? override : undefined
}

/**
 * Reads and checks the script of one session.
 *
 * @param file - the session's log
 * @param overrideFile - its override, if it has one
 * @public
 */
export function loadReplayScript(file: string, overrideFile?: string): readonly ReplayEntry[] {
  return buildSessionScripts([source(file, overrideFile)]).flatMap(script => script.entries)
}

function source(file: string, overrideFile: string | undefined): ScriptSource {
  const log = parseSessionLog(read(file, 'session log'), file)
  const name = plainLogName(path.basename(file))
  if (overrideFile === undefined) return { name, log }
  const override = parseOverride(read(overrideFile, 'override').toString('utf8'), overrideFile)
  return { name, log, override, overrideFile }
}

function read(file: string, what: string): Buffer {
  let kind: string
  try {
    const found = statSync(file)
    if (found.isFile()) return readFileSync(file)
    kind = fileKind(found)
  } catch (cause) {
    throw new SnapshotError(
      'REPLAY_INVALID',
      `${file}: this ${what} can't be read: ${String(cause)}. ` +
        `A file that is configured must exist: correct its name, or record the scenario.`,
      { cause, details: { file } },
    )
  }
  throw new SnapshotError(
    'REPLAY_INVALID',
    `${file}: this ${what} is not a file, but ${kind}. Name a file, or record the scenario.`,
    { details: { file } },
  )
}

function filled(value: string | undefined): string | undefined {
  return value === '' ? undefined : value
}
