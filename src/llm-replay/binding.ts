import { SnapshotError } from '../errors.ts'
import type { ReplayEntry } from './entry.ts'
import { overrideFileOf } from './names.ts'
import type { SessionScript } from './script.ts'

/**
 * A live session and the script that answers it. Calls without a session id make up one session, whose id is undefined.
 *
 * @public
 */
export interface ScriptBinding {
  readonly sessionId: string | undefined
  readonly script: SessionScript
}

/**
 * Says which script answers a session that calls for the first time; undefined where none does.
 *
 * @public
 */
export type ChooseScript = (choice: {
  readonly sessionId: string | undefined
  /** Every script, the primary first. */
  readonly scripts: readonly SessionScript[]
  /** Those that no session has, in the same order. */
  readonly unbound: readonly SessionScript[]
  readonly bindings: readonly ScriptBinding[]
}) => SessionScript | undefined

/**
 * What answers one call.
 *
 * @public
 */
export interface NextEntry {
  readonly script: SessionScript
  /** Position in the script. */
  readonly index: number
  readonly entry: ReplayEntry
  /** Whether the entry comes from an override and may hold placeholders. */
  readonly authored: boolean
}

/**
 * By first call: the next unbound script in order. One without entries is passed over while another is left, since the
 * session that it records made no call. Calls without an id get the primary or nothing.
 *
 * @public
 */
export const chooseByFirstCall: ChooseScript = ({ sessionId, scripts, unbound }) => {
  if (sessionId === undefined) return unbound.find(script => script === scripts[0])
  return unbound.find(script => script.entries.length > 0) ?? unbound[0]
}

interface Bound extends ScriptBinding {
  cursor: number
}

/**
 * Serves scripts to live sessions, call by call, each session from a cursor of its own.
 *
 * @public
 */
export class ScriptBinder {
  readonly #scripts: readonly SessionScript[]
  readonly #choose: ChooseScript
  readonly #bound = new Map<string | undefined, Bound>()

  /** @param scripts - the primary first */
  constructor(scripts: readonly SessionScript[], choose: ChooseScript = chooseByFirstCall) {
    this.#scripts = scripts
    this.#choose = choose
  }

  /**
   * The entry that answers the session's next call.
   *
   * @throws SnapshotError `REPLAY_EXHAUSTED`: more sessions than scripts, or more calls than entries
   */
  next(sessionId: string | undefined): NextEntry {
    const bound = this.#bound.get(sessionId) ?? this.#bind(sessionId)
    const { script, cursor: index } = bound
    const entry = script.entries[index]
    if (entry === undefined) throw callsExhausted(bound)
    bound.cursor++
    return { script, index, entry, authored: script.authoredAt.has(index) }
  }

  /** Which session has which script, in order of first call. */
  bindings(): ScriptBinding[] {
    return [...this.#bound.values()].map(({ sessionId, script }) => ({ sessionId, script }))
  }

  /**
   * Checks that all that was recorded was used: every script bound, every entry read. An empty script needs no session.
   *
   * @throws SnapshotError `REPLAY_UNCONSUMED`, listing what was left
   */
  assertConsumed(): void {
    const byScript = new Map([...this.#bound.values()].map(bound => [bound.script, bound]))
    const left = this.#scripts.flatMap(script => leftOf(script, byScript.get(script)))
    if (left.length === 0) return
    throw new SnapshotError(
      'REPLAY_UNCONSUMED',
      `The run ended before it had used all that was recorded: ${left.map(({ text }) => text).join('; ')}. The agent ` +
        'made fewer model calls than its recording: look for the call that it no longer makes; where that is meant, ' +
        'record the scenario again, or take the entries out of the override.',
      { details: { left } },
    )
  }

  #bind(sessionId: string | undefined): Bound {
    const bindings = this.bindings()
    const taken = new Set(bindings.map(({ script }) => script))
    const unbound = this.#scripts.filter(script => !taken.has(script))
    const script = this.#choose({ sessionId, scripts: this.#scripts, unbound, bindings })
    if (script === undefined) throw sessionsExhausted(sessionId, this.#scripts, bindings)
    const bound = { sessionId, script, cursor: 0 }
    this.#bound.set(sessionId, bound)
    return bound
  }
}

interface Left {
  readonly script: string
  /** Absent where no session was bound to the script. */
  readonly sessionId?: string | undefined
  /** Positions of the entries left, the first and the last. */
  readonly from: number
  readonly to: number
  readonly text: string
}

function leftOf(script: SessionScript, bound: Bound | undefined): readonly Left[] {
  const { length } = script.entries
  const from = bound?.cursor ?? 0
  if (from >= length) return []
  const to = length - 1
  const entries = from === to ? `entry ${from}` : `entries ${from} to ${to}`
  const whose = bound === undefined ? 'no live session had it' : `${sessionName(bound.sessionId)} had it`
  const text = `${script.name}: ${entries} of ${length} unread (${whose})`
  return [
    { script: script.name, from, to, text, ...(bound === undefined ? {} : { sessionId: bound.sessionId }) },
  ]
}

function sessionName(sessionId: string | undefined): string {
  return sessionId === undefined ? 'the session without an id' : `session "${sessionId}"`
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`
}

function callsExhausted({ sessionId, script }: Bound): SnapshotError {
  const { length } = script.entries
  return new SnapshotError(
    'REPLAY_EXHAUSTED',
    `${script.name}: ${sessionName(sessionId)} makes its model call ${length}, counted from 0, but the script has ` +
      `${count(length, 'entry', 'entries')}. The recording is older than the code: record the scenario again, or add ` +
      `an entry for this call to ${overrideFileOf(script.number)}: {"patches":[{"at":${length},"entry":…}]}.`,
    { details: { sessionId, script: script.name, entries: length } },
  )
}

function sessionsExhausted(
  sessionId: string | undefined,
  scripts: readonly SessionScript[],
  bindings: readonly ScriptBinding[],
): SnapshotError {
  const held = bindings.map(
    bound =>
      `${bound.script.name} (${count(bound.script.entries.length, 'entry', 'entries')}) answers ${sessionName(bound.sessionId)}`,
  )
  const state =
    scripts.length === 0 ? 'there is no script at all' : `no script is left for it: ${held.join(', ')}`
  return new SnapshotError(
    'REPLAY_EXHAUSTED',
    `${sessionName(sessionId)} calls the model, but ${state}. The recording is older than the code: record the ` +
      'scenario again, or add a session.<n>.jsonl for the session, with a replay.override.<n>.json that answers it.',
    { details: { sessionId, scripts: scripts.map(({ name }) => name) } },
  )
}
