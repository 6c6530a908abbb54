import type { SessionFixture } from './fixtures/index.ts'
import type { ScriptBinding } from './llm-replay/index.ts'
import { byCreation, inEarlierOrder } from './log-order.ts'
import { isHeaderLine } from './session-log/is-header-line.ts'
import { logNameOf } from './llm-replay/names.ts'
import { firstLineOf, parseSessionLog, projectSessionLog, type SessionLog } from './session-log/index.ts'
import {
  announcedJobs,
  fixtureLogs,
  normalizeSessionLog,
  normalizeStdout,
  type NormalizeContext,
} from './transcript/index.ts'

/**
 * The log of one session of a run.
 *
 * @public
 */
export interface SessionTranscript {
  /** The fixture that it stands beside: `session.jsonl` or `session.<n>.jsonl`. */
  readonly name: string
  /** The live session's id. */
  readonly sessionId: string
  /** As the agent wrote it. */
  readonly raw: SessionLog
  /** With everything that changes from run to run replaced. */
  readonly log: SessionLog
  /** {@link SessionTranscript.log} as a fixture file holds it. */
  readonly text: string
  /** The same with ids that tell which go together: what to keep of a run as `session.jsonl`. */
  readonly fixture: string
}

/**
 * What an agent said and logged, normalised.
 *
 * @public
 */
export interface Transcript {
  /** Newline-delimited JSON, as in `stdout.expected.jsonl`. */
  readonly stdout: string
  /** The primary first, then in order of the fixtures they stand beside. */
  readonly sessions: readonly SessionTranscript[]
  /** As the agent wrote it. */
  readonly rawStdout: string
  /** When each frame of it came, epoch ms. */
  readonly frameTimes: readonly number[]
  /** What the run had of its own, and the rules of the caller's own. */
  readonly context: NormalizeContext
}

/** What a run has left behind. */
export interface Harvest {
  /** The agent's standard output. */
  readonly stdout: string
  /** When each of its lines that are not blank came, epoch ms. */
  readonly frameTimes: readonly number[]
  /** Files of the sessions' folder, by relative path. */
  readonly files: ReadonlyMap<string, Buffer>
  readonly primary: string | undefined
  readonly bindings: readonly ScriptBinding[]
  /** Earlier logs whose numbers the sessions keep, where no script was bound to them: the primary's first. */
  readonly before?: readonly SessionFixture[]
  readonly context: Omit<NormalizeContext, 'sessionIds' | 'jobIds'>
}

/** Finds the logs of a run, puts them beside their fixtures, and normalises everything. */
export function transcribe(harvest: Harvest): Transcript {
  const logs = [...harvest.files]
    .filter(([, bytes]) => isHeaderLine(firstLineOf(bytes) ?? ''))
    .map(([name, bytes]) => parseSessionLog(bytes, name))
  const context: NormalizeContext = { ...harvest.context, sessionIds: logs.map(log => log.header.id) }
  const named = nameLogs(logs, harvest, context)
  let fixtures: string[] | undefined
  const sessions = Array.from(named, ([number, log], at): SessionTranscript => {
    const name = logNameOf(number)
    const normalized = { ...normalizeSessionLog(log, context), file: name }
    return {
      name,
      sessionId: log.header.id,
      raw: log,
      log: normalized,
      text: projectSessionLog(normalized),
      get fixture() {
        fixtures ??= fixtureLogs([...named.values()], context).map(projectSessionLog)
        return String(fixtures[at])
      },
    }
  })
  const { stdout: rawStdout, frameTimes } = harvest
  return {
    stdout: normalizeStdout(rawStdout, { ...context, jobIds: announcedJobs(sessions.map(({ raw }) => raw)) }),
    sessions,
    rawStdout,
    frameTimes,
    context,
  }
}

/**
 * A log stands beside the fixture whose script its session was given. Others are the primary, or keep the number of the
 * earlier log of their lineage, or take the numbers that are left in order of their creation.
 */
function nameLogs(
  logs: readonly SessionLog[],
  harvest: Harvest,
  context: NormalizeContext,
): Map<number, SessionLog> {
  const named = new Map<number, SessionLog>()
  const left: SessionLog[] = []
  for (const log of logs) {
    const number = numberOf(log.header.id, harvest)
    // A second log of one session is a log too many: it gets a number of its own, which nothing expects.
    if (number === undefined || named.has(number)) left.push(log)
    else named.set(number, log)
  }
  const { before = [] } = harvest
  const ordered = before.length === 0 ? left.sort(byCreation) : inEarlierOrder(left, before, context)
  let next = 1
  for (const log of ordered) {
    while (named.has(next)) next += 1
    named.set(next, log)
  }
  return new Map([...named].sort(([a], [b]) => a - b))
}

function numberOf(id: string, { primary, bindings }: Harvest): number | undefined {
  if (id === primary) return 0
  const bound = bindings.find(binding => binding.sessionId === id)?.script.number
  // The primary script may have answered a child by mistake: the child keeps a number of its own.
  return bound === 0 ? undefined : bound
}
