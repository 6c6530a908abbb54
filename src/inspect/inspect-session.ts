import { lineageOf } from '../llm-replay/lineage.ts'
import { runsOf } from '../session-log/runs.ts'
import { toolCallsOf } from '../session-log/tool-calls.ts'
import type { SessionLog } from '../session-log/types.ts'
import { inspectCalls } from './inspect-calls.ts'
import { placeIn } from './place.ts'
import type { Problems } from './problems.ts'
import type { FoundSession } from './read-folder.ts'
import { SessionWalk } from './session-walk.ts'
import type {
  InspectedCall,
  InspectedError,
  InspectedLineage,
  InspectedSession,
  InspectedToolCall,
} from './types.ts'
import { totalUsage } from './usage.ts'

/**
 * What a session's log tells.
 *
 * @param siblings - all sessions of the scenario
 */
export function inspectSession(
  session: FoundSession,
  siblings: readonly FoundSession[],
  problems: Problems,
): InspectedSession {
  const { name, file, log, partial, override } = session
  const { turns, steps, errors, compactions, headers } = new SessionWalk(log)
  const modelCalls = inspectCalls(session, problems)
  const toolCalls = toolCallsOf(log).map(call => ({ ...call, line: placeIn(log, call.seq).line }))
  const failed = [...errors, ...finishErrors(log, modelCalls), ...toolErrors(log, toolCalls)]
  return {
    name,
    file,
    id: log.header.id,
    lineage: inspectLineage(session, siblings),
    partial,
    events: Math.max(0, log.events.length - (log.header.seedLength ?? 0)),
    rows: rowsOf(log),
    turns,
    steps,
    modelCalls,
    toolCalls,
    usage: totalUsage(modelCalls.map(({ usage }) => usage)),
    errors: failed.sort((a, b) => a.seq - b.seq),
    compactions,
    headers,
    ...(override === undefined ? {} : { override: inspectOverride(override) }),
  }
}

function inspectLineage(session: FoundSession, siblings: readonly FoundSession[]): InspectedLineage {
  const { header } = session.log
  const { parentSession: parentId, delegationDepth, origin, seedLength } = header
  const { label } = lineageOf(session.log)
  // Logs that somebody wrote may share one id: no session is its own parent.
  const parent = siblings.find(({ log }) => log !== session.log && log.header.id === parentId)?.name
  return {
    ...(parent === undefined ? {} : { parent }),
    ...(parentId === undefined ? {} : { parentId }),
    ...(label === undefined ? {} : { label }),
    delegationDepth,
    ...(origin === undefined ? {} : { origin }),
    ...(seedLength === undefined ? {} : { seedLength }),
  }
}

/** The members of a packed row share one line. */
function rowsOf({ events }: SessionLog): number {
  const saved = runsOf(events).map(({ start, end }) => end - start - 1)
  return saved.reduce((rows, more) => rows - more, events.length)
}

function finishErrors(log: SessionLog, calls: readonly InspectedCall[]): InspectedError[] {
  return calls.flatMap(({ seq, finish }) => {
    if (finish?.kind !== 'error') return []
    const { message, code } = finish.failure
    return [{ kind: 'finish' as const, ...placeIn(log, seq), message, code }]
  })
}

function toolErrors(log: SessionLog, calls: readonly InspectedToolCall[]): InspectedError[] {
  return calls.flatMap(({ name, result }) => {
    if (result?.isError !== true) return []
    const { seq, text, error } = result
    const code = error?.code === undefined ? {} : { code: error.code }
    return [{ kind: 'tool' as const, ...placeIn(log, seq), message: `${name}: ${text}`, ...code }]
  })
}

function inspectOverride({ file, doc }: NonNullable<FoundSession['override']>) {
  if ('patches' in doc) return { file, kind: 'patch' as const, entries: doc.patches.length }
  return { file, kind: 'replace' as const, entries: doc.length }
}
