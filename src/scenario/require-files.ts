import { SnapshotError } from '../errors.ts'
import type { ScenarioFiles } from './inventory.ts'

/** A scenario that can be recorded: it has an input script. @public */
export interface RecordableFiles extends ScenarioFiles {
  readonly input: string
}

/** A scenario that can be driven from its logs; its expected stdout may be yet to be written. @public */
export interface RefreshableFiles extends RecordableFiles {
  readonly primaryLog: string
}

/** A scenario that can be replayed and compared. @public */
export interface ReplayableFiles extends RefreshableFiles {
  readonly expectedStdout: string
}

const ROLES = {
  input: {
    name: 'input.json',
    purpose: 'the steps that the client takes',
    remedy: 'Write it, for example { "steps": [{ "op": "initialize" }, { "op": "newSession" }] }',
  },
  primaryLog: {
    name: 'session.jsonl',
    purpose: 'the recorded log of the primary session, which the model calls are replayed from',
    remedy: 'Record the scenario: acp-snapshot record',
  },
  expectedStdout: {
    name: 'stdout.expected.jsonl',
    purpose: 'what the agent is expected to write',
    remedy: 'Write it from its recording: acp-snapshot refresh (or record, where there is none)',
  },
} as const

type Role = keyof typeof ROLES

/**
 * Makes sure that a scenario can be recorded.
 *
 * @throws SnapshotError `SCENARIO_INVALID` where there is no `input.json`
 * @public
 */
export function requireRecordable(files: ScenarioFiles): RecordableFiles {
  return requireRoles(files, ['input'], [])
}

/**
 * Makes sure that a scenario can be driven from its logs.
 *
 * @throws SnapshotError `SCENARIO_INVALID` that lists every flaw: no `input.json`, no `session.jsonl`, two logs of one
 * session, a gap in the numbers of the child logs, an override without its log
 * @public
 */
export function requireRefreshable(files: ScenarioFiles): RefreshableFiles {
  return requireRoles(files, ['input', 'primaryLog'], logFlaws(files))
}

/**
 * Makes sure that a scenario can be replayed and compared.
 *
 * @throws SnapshotError `SCENARIO_INVALID` that lists every flaw: those of `requireRefreshable`, and no
 * `stdout.expected.jsonl`
 * @public
 */
export function requireReplayable(files: ScenarioFiles): ReplayableFiles {
  return requireRoles(files, ['input', 'primaryLog', 'expectedStdout'], logFlaws(files))
}

function requireRoles<R extends Role>(
  files: ScenarioFiles,
  roles: readonly R[],
  flaws: readonly string[],
): ScenarioFiles & Readonly<Record<R, string>> {
  const missing = roles.filter(role => files[role] === undefined)
  const problems = [...missing.map(role => missingProblem(files, role)), ...flaws]
  if (problems.length > 0) {
    throw new SnapshotError(
      'SCENARIO_INVALID',
      problems.map(problem => `${files.folder}: ${problem}`).join('\n'),
      {
        details: { folder: files.folder, missing: missing.map(role => ROLES[role].name) },
      },
    )
  }
  return files as ScenarioFiles & Readonly<Record<R, string>>
}

function missingProblem(files: ScenarioFiles, role: Role): string {
  const { name, purpose, remedy } = ROLES[role]
  const mistaken = files.unknown.includes(name) ? ' (what has that name is a directory)' : ''
  return `${name} is missing${mistaken}. It holds ${purpose}. ${remedy}.`
}

function logFlaws({ childLogs, childLogGap, doubledLogs, overrides }: ScenarioFiles): string[] {
  const flaws: string[] = []
  for (const [name, other] of doubledLogs) {
    flaws.push(
      `${other} and ${name} are both the log of one session. Keep the one that holds the recording, and remove the other.`,
    )
  }
  if (childLogGap !== undefined) {
    flaws.push(
      `session.${childLogGap}.jsonl is missing, though there is ${[...childLogs.values()].join(', ')}. ` +
        'Child logs are numbered from 1 without a gap. Renumber them, or record the scenario anew.',
    )
  }
  for (const [session, name] of overrides) {
    if (session === 0 || childLogs.has(session)) continue
    flaws.push(
      `${name} stands for the script of session.${session}.jsonl, which is missing. ` +
        'Renumber or remove the override, or record the scenario anew.',
    )
  }
  return flaws
}
