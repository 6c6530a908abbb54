import { SnapshotError } from '../errors.ts'
import { callsExhausted, leftOf, sessionsExhausted } from './binding-errors.ts'
import { chooseScript, type ScriptBinding } from './choose-script.ts'
import type { ReplayEntry } from './entry.ts'
import { laneOf, unrecordedAnswer } from './lane.ts'
import type { SessionLineage } from './lineage.ts'
import type { SessionScript } from './script.ts'

/**
 * What answers one call.
 *
 * @public
 */
export interface NextEntry {
  readonly script: SessionScript
  /** The purpose that the call has a lane of its own for; absent on the conversation's calls. */
  readonly lane?: string
  /** Position in the script, or in the lane. */
  readonly index: number
  readonly entry: ReplayEntry
  /** Whether somebody wrote the entry, so that it may hold placeholders. */
  readonly authored: boolean
}

/** What else may have happened to a hang that is left. */
const cancelled =
  ' A hang among them may have been cancelled before the call for it was made: let it write a "readyFile", and ' +
  'promptAndCancel wait for that with "waitForFile".'

/** A session with its script. */
export interface Bound extends ScriptBinding {
  /** Where each lane has got to, by purpose. */
  readonly cursors: Map<string | undefined, number>
}

/**
 * Serves scripts to live sessions, call by call, each session from a cursor of its own.
 *
 * @public
 */
export class ScriptBinder {
  readonly #scripts: readonly SessionScript[]
  readonly #lineageOf: (sessionId: string) => SessionLineage | undefined
  readonly #bound = new Map<string | undefined, Bound>()

  /**
   * @param scripts - the primary first
   * @param lineageOf - what is known of a live session, normalised; asked once, at its first call
   */
  constructor(
    scripts: readonly SessionScript[],
    lineageOf: (sessionId: string) => SessionLineage | undefined = () => undefined,
  ) {
    this.#scripts = scripts
    this.#lineageOf = lineageOf
  }

  /**
   * The entry that answers the session's next call. A compaction is a call of the conversation; one with another purpose
   * has a lane of its own.
   *
   * @throws SnapshotError `REPLAY_EXHAUSTED`: more sessions than scripts, or more calls than entries
   */
  next(sessionId: string | undefined, purpose?: string): NextEntry {
    const bound = this.#bound.get(sessionId) ?? this.#bind(sessionId)
    const { script, cursors } = bound
    const lane = purpose === 'compaction' ? undefined : purpose
    const index = cursors.get(lane) ?? 0
    const scripted = laneOf(script, lane)[index]
    const entry = scripted ?? (lane === undefined ? undefined : unrecordedAnswer(script, lane))
    if (entry === undefined) throw callsExhausted(bound, lane)
    cursors.set(lane, index + 1)
    if (lane !== undefined) return { script, lane, index, entry, authored: false }
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
        `record the scenario again, or take the entries out of the override.${left.some(({ hangs }) => hangs) ? cancelled : ''}`,
      { details: { left } },
    )
  }

  #bind(sessionId: string | undefined): Bound {
    const bindings = this.bindings()
    const taken = new Set(bindings.map(({ script }) => script))
    const unbound = this.#scripts.filter(script => !taken.has(script))
    const lineage = sessionId === undefined ? undefined : this.#lineageOf(sessionId)
    const script = chooseScript({ sessionId, lineage, scripts: this.#scripts, unbound, bindings })
    if (script === undefined) throw sessionsExhausted({ sessionId, lineage }, this.#scripts, bindings)
    const bound = { sessionId, script, cursors: new Map() }
    this.#bound.set(sessionId, bound)
    return bound
  }
}
