import type { SuiteReader } from '../fixtures/read-suite.ts'
import { zstdEnding, type SessionLog } from '../session-log/index.ts'
import { standsForAnyId } from '../transcript/any-id.ts'
import { inspectSession } from './inspect-session.ts'
import { readFolder, type FoundScenario } from './read-folder.ts'
import { sessionTotals } from './totals.ts'
import type { InspectedFlags, InspectedProblem, InspectedScenario, InspectedSession } from './types.ts'

/** A session with the log that its facts are from. */
export interface LoggedSession {
  readonly session: InspectedSession
  readonly log: SessionLog
}

/** A scenario with the logs of its sessions, in the same order. */
export interface InspectedFolder {
  readonly scenario: InspectedScenario
  readonly logged: readonly LoggedSession[]
}

/** Inspects one scenario folder, whatever is wrong with it. */
export async function inspectFolder(folder: string, suites?: SuiteReader): Promise<InspectedFolder> {
  const read = await readFolder(folder, suites)
  const { name, settings, files, problems } = read
  const logged = read.sessions.map(found => ({
    session: inspectSession(found, read.sessions, problems),
    log: found.log,
  }))
  const sessions = logged.map(({ session }) => session)
  const scenario: InspectedScenario = {
    name,
    folder: read.folder,
    steps: read.steps.map(({ op }) => op),
    sessions,
    totals: sessionTotals(sessions),
    files,
    flags: flagsOf(read),
    headerClass: settings.headerClass,
    ...(settings.pin === undefined ? {} : { pin: settings.pin }),
    settings,
    problems: problems.list.sort(byPlace),
  }
  return { scenario, logged }
}

function flagsOf({ found, settings, sessions }: FoundScenario): InspectedFlags {
  const primary = sessions.find(({ name }) => name === 'session.jsonl')
  return {
    overridden: found.overrides.has(0),
    recorded: settings.recorded ?? (primary !== undefined && !standsForAnyId(primary.log.header.id)),
    workspace: found.workspace !== undefined,
    facts: found.facts !== undefined,
    compressed: sessions.some(({ file }) => zstdEnding.test(file)),
    pinned: found.systemPrompts.size + found.toolSchemas.size > 0,
  }
}

/** Files are read side by side, so that problems come up in any order. */
function byPlace(a: InspectedProblem, b: InspectedProblem): number {
  return Number(a.file > b.file) - Number(a.file < b.file) || (a.line ?? 0) - (b.line ?? 0)
}
