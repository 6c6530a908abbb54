import { SnapshotError } from '../errors.ts'
import { standsForAnyId } from '../transcript/any-id.ts'
import type { Bound } from './binding.ts'
import type { ScriptBinding } from './choose-script.ts'
import type { ReplayEntry } from './entry.ts'
import { laneOf } from './lane.ts'
import type { SessionLineage } from './lineage.ts'
import { overrideFileOf } from './names.ts'
import { describe } from './problem.ts'
import type { SessionScript } from './script.ts'

/** Entries of a script that no call has read. */
export interface Left {
  readonly script: string
  /** The purpose that the entries are for; absent on the conversation's. */
  readonly lane?: string
  /** Absent where no session was bound to the script. */
  readonly sessionId?: string | undefined
  /** Positions of the entries left, the first and the last. */
  readonly from: number
  readonly to: number
  /** Whether a hang is among them. */
  readonly hangs: boolean
  readonly text: string
}

/** What is left of each lane of a script. */
export function leftOf(script: SessionScript, bound: Bound | undefined): readonly Left[] {
  const lanes: readonly (readonly [string | undefined, readonly ReplayEntry[]])[] = [
    [undefined, script.entries],
    ...Object.entries(script.auxiliary ?? {}),
  ]
  return lanes.flatMap(([lane, entries]) => leftOfLane(script, bound, lane, entries))
}

function leftOfLane(
  script: SessionScript,
  bound: Bound | undefined,
  lane: string | undefined,
  scripted: readonly ReplayEntry[],
): readonly Left[] {
  const { length } = scripted
  const from = bound?.cursors.get(lane) ?? 0
  if (from >= length) return []
  const to = length - 1
  const entries = from === to ? `entry ${from}` : `entries ${from} to ${to}`
  const whose = bound === undefined ? 'no live session had it' : `${sessionName(bound.sessionId)} had it`
  const purpose = lane === undefined ? '' : ` for ${JSON.stringify(lane)} calls`
  return [
    {
      script: script.name,
      from,
      to,
      hangs: scripted.slice(from).some(({ kind }) => kind === 'hang'),
      text: `${script.name}: ${entries} of ${length}${purpose} unread (${whose})`,
      ...(lane === undefined ? {} : { lane }),
      ...(bound === undefined ? {} : { sessionId: bound.sessionId }),
    },
  ]
}

/** A session has made more calls than its recording. */
export function callsExhausted({ sessionId, script }: Bound, lane: string | undefined): SnapshotError {
  const { length } = laneOf(script, lane)
  const call = lane === undefined ? 'model call' : `${JSON.stringify(lane)} call`
  return new SnapshotError(
    'REPLAY_EXHAUSTED',
    `${script.name}: ${sessionName(sessionId)} makes its ${call} ${length}, counted from 0, but the script has ` +
      `${count(length, 'entry', 'entries')}${lane === undefined ? '' : ' for such calls'}. ${moreCallsAdvice(script, lane)}`,
    { details: { sessionId, script: script.name, entries: length, ...(lane === undefined ? {} : { lane }) } },
  )
}

function moreCallsAdvice(script: SessionScript, lane: string | undefined): string {
  const { number, entries, overrideFile = overrideFileOf(number) } = script
  const recordAgain = 'The recording is older than the code: record the scenario again'
  if (lane !== undefined) {
    return `${recordAgain}. Calls with a purpose of their own are answered from what the log keeps of them.`
  }
  if (isWritten(script)) {
    return `The agent calls its model once more than was written for it: add an entry for this call at the end of ${overrideFile}.`
  }
  return `${recordAgain}, or add an entry for this call to ${overrideFile}: {"patches":[{"at":${entries.length},"entry":…}]}.`
}

/** Whether no model has said any of it. */
function isWritten({ id, authored, authoredAt, entries }: SessionScript): boolean {
  return authoredAt.size === entries.length && (authored || standsForAnyId(id))
}

/** A session calls that nothing was recorded for. */
export function sessionsExhausted(
  {
    sessionId,
    lineage,
  }: { readonly sessionId: string | undefined; readonly lineage: SessionLineage | undefined },
  scripts: readonly SessionScript[],
  bindings: readonly ScriptBinding[],
): SnapshotError {
  const held = bindings.map(
    bound =>
      `${bound.script.name} (${count(bound.script.entries.length, 'entry', 'entries')}) answers ${sessionName(bound.sessionId)}`,
  )
  const taken = new Set(bindings.map(({ script }) => script))
  const left = scripts.filter(script => !taken.has(script))
  const free = left.map(script => `${script.name} is of ${originOf(script.parentSession, script.lineage)}`)
  const state =
    scripts.length === 0
      ? 'there is no script at all'
      : `no script is left for it: ${[...held, ...free].join(', ')}`
  const origin = lineage === undefined ? '' : ` (${originOf(lineage.parent, lineage)})`
  const remedy = left.some(script => script.lineageIsCondition)
    ? 'Correct the label or the prompt of the one that is meant'
    : 'The recording is older than the code: record the scenario again'
  return new SnapshotError(
    'REPLAY_EXHAUSTED',
    `${sessionName(sessionId)}${origin} calls the model, but ${state}. ${remedy}, or add a session.<n>.jsonl for the ` +
      'session, with a replay.override.<n>.json that answers it (in a scenario without files, an element of "children").',
    { details: { sessionId, lineage, scripts: scripts.map(({ name }) => name) } },
  )
}

function originOf(parent: string | undefined, { label, prompt }: SessionLineage = {}): string {
  const who = parent === undefined ? 'a session that a client opened' : `a session started by "${parent}"`
  return [
    who,
    ...(label === undefined ? [] : [`label ${describe(label)}`]),
    ...(prompt === undefined ? [] : [`prompt ${describe(prompt)}`]),
  ].join(', ')
}

function sessionName(sessionId: string | undefined): string {
  return sessionId === undefined ? 'the session without an id' : `session "${sessionId}"`
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`
}
