import { readFile } from 'node:fs/promises'
import path from 'node:path'

import { overriddenProblem } from '../fixtures/overridden.ts'
import { readSuite, type SuiteReader } from '../fixtures/read-suite.ts'
import { refuseUnread } from '../fixtures/refuse-unread.ts'
import { plainLogName } from '../llm-replay/names.ts'
import { parseOverride, type ReplayOverrideDoc } from '../llm-replay/override.ts'
import {
  inventory,
  parseFacts,
  parseInputScript,
  requireReplayable,
  settingsOf,
  type ScenarioFiles,
  type ScenarioSettings,
  type Step,
} from '../scenario/index.ts'
import { checkExpectedStdout } from '../transcript/frames.ts'
import { listFolder, sizeOf, workspaceFiles } from './list-folder.ts'
import { Problems } from './problems.ts'
import { readLog, type ReadLog } from './read-log.ts'
import type { InspectedFile } from './types.ts'

/** A session as the folder holds it. */
export interface FoundSession extends ReadLog {
  readonly name: string
  /** The name of the log's file. */
  readonly file: string
  readonly override?: {
    /** The name of its file, and what that is called in messages. */
    readonly file: string
    readonly path: string
    readonly doc: ReplayOverrideDoc
  }
}

/** A scenario folder, read as far as it can be. */
export interface FoundScenario {
  readonly name: string
  readonly folder: string
  readonly found: ScenarioFiles
  readonly settings: ScenarioSettings
  readonly steps: readonly Step[]
  readonly sessions: readonly FoundSession[]
  readonly files: readonly InspectedFile[]
  readonly problems: Problems
}

/** Reads a scenario folder. Whatever can't be read is a problem, not an error. */
export async function readFolder(folder: string, suites: SuiteReader = readSuite): Promise<FoundScenario> {
  const problems = new Problems()
  const absolute = path.resolve(folder)
  const [entries, suite] = await Promise.all([
    listFolder(folder, problems),
    suites(path.dirname(absolute)).catch((error: unknown) => {
      problems.note(error, path.join(path.dirname(absolute), 'suite.json'))
      return undefined
    }),
  ])
  const name = path.basename(absolute)
  const settings = settingsOf(suite?.suite, name)
  const found = inventory(entries, folder)
  problems.attempt(folder, () => requireReplayable(found))
  problems.attempt(folder, () => refuseUnread(found))
  const mismatch = suite && overriddenProblem(name, settings, found, suite.file)
  if (mismatch !== undefined) problems.add(folder, mismatch)
  const reader = new FolderReader(folder, problems)
  const [steps, sessions] = await Promise.all([
    reader.parse(found.input, (text, file) => parseInputScript(text, file).steps),
    readSessions(reader, found),
    reader.parse(found.expectedStdout, checkExpectedStdout),
    reader.parse(found.facts, parseFacts),
  ])
  const others = await Promise.all(
    entries.map(async entry => {
      const file = path.join(folder, entry.name)
      if (entry.name === found.workspace) return await workspaceFiles(folder, entry.name, problems)
      if (entry.kind === 'directory' || reader.sizes.has(entry.name)) return []
      return [{ name: entry.name, size: await sizeOf(file) }]
    }),
  )
  const read = Array.from(reader.sizes, ([file, size]) => ({ name: file, size }))
  const files = [...read, ...others.flat()].sort((a, b) => Number(a.name > b.name) - Number(a.name < b.name))
  return { name, folder: absolute, found, settings, steps: steps ?? [], sessions, files, problems }
}

class FolderReader {
  /** Bytes of what has been read, by name. */
  readonly sizes = new Map<string, number>()
  readonly problems: Problems
  readonly #folder: string

  constructor(folder: string, problems: Problems) {
    this.#folder = folder
    this.problems = problems
  }

  at(name: string): string {
    return path.join(this.#folder, name)
  }

  async bytes(name: string): Promise<Buffer | undefined> {
    try {
      const bytes = await readFile(this.at(name))
      this.sizes.set(name, bytes.length)
      return bytes
    } catch (cause) {
      this.problems.add(this.at(name), `this file can't be read: ${String(cause)}.`)
      return undefined
    }
  }

  /** What a file's text says; undefined where there is no such file, or it is wrong. */
  async parse<T>(name: string | undefined, read: (text: string, file: string) => T): Promise<T | undefined> {
    const bytes = name === undefined ? undefined : await this.bytes(name)
    if (name === undefined || bytes === undefined) return undefined
    const file = this.at(name)
    return this.problems.attempt(file, () => read(bytes.toString('utf8'), file))
  }
}

async function readSessions(reader: FolderReader, found: ScenarioFiles): Promise<FoundSession[]> {
  const { primaryLog, childLogs, overrides } = found
  const logs = primaryLog === undefined ? [...childLogs] : [[0, primaryLog] as const, ...childLogs]
  const sessions = await Promise.all(
    logs.map(async ([number, file]): Promise<FoundSession | undefined> => {
      const overrideName = overrides.get(number)
      const [bytes, doc] = await Promise.all([reader.bytes(file), reader.parse(overrideName, parseOverride)])
      const read = bytes === undefined ? undefined : readLog(bytes, reader.at(file), reader.problems)
      if (read === undefined) return undefined
      const override =
        overrideName === undefined || doc === undefined
          ? {}
          : { override: { file: overrideName, path: reader.at(overrideName), doc } }
      return { name: plainLogName(file), file, ...read, ...override }
    }),
  )
  return sessions.filter(session => session !== undefined)
}
