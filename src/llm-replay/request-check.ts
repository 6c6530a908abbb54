import { SnapshotError } from '../errors.ts'
import { eventPlace } from '../session-log/event-place.ts'
import { sourceKind } from '../session-log/source-kind.ts'
import type { SurfaceMessage } from '../session-log/surface-fold.ts'
import type { JsonValue, SessionLog } from '../session-log/types.ts'
import { showPair } from '../transcript/shorten.ts'
import type { Normalizer } from '../transcript/index.ts'
import { listChanges } from '../transcript/value-difference.ts'
import type { RecordedRequest } from './recorded-requests.ts'

/**
 * The first difference between what a session gave its model in a run and what it gave it when it was recorded.
 *
 * @public
 */
export interface RequestDrift {
  /** Name of the script, such as `session.jsonl`. */
  readonly script: string
  /** Position of the call in its script, from 0. */
  readonly index: number
  /** What an auxiliary call is for; absent on a conversation's own calls. */
  readonly purpose?: string
  /** Where in the request, such as `messages[3].content[0].text`. */
  readonly path: string
  /** Normalised; undefined where there was nothing. */
  readonly recorded: unknown
  /** Normalised; undefined where there is nothing. */
  readonly live: unknown
  /** All of it in words, with the file and the line. */
  readonly message: string
  /** When the request was made, epoch ms. */
  readonly time?: number
}

/** The call that is compared, for messages. */
export type ComparedCall = Pick<RequestDrift, 'script' | 'index' | 'purpose'>

const shown = 300

/**
 * Compares the requests of one session with its recording, as normalised values. Messages that were equal once, and are
 * as they were, are not normalised again: a session says nearly all of a request in the one before it.
 */
export class RequestCheck {
  readonly #log: SessionLog
  readonly #recorded: Normalizer
  readonly #live: Normalizer
  /** By live message, the recorded one that it was compared with, and what it said then: an agent may change it. */
  readonly #done = new WeakMap<object, { readonly was: JsonValue; readonly text: string }>()
  /** What makes the messages of a difference count as equal. */
  readonly #acceptances = new WeakMap<RequestDrift, () => void>()

  /**
   * @param log - the recording
   * @param recorded - normalises what is in it
   * @param live - normalises what the run gives
   */
  constructor(log: SessionLog, recorded: Normalizer, live: Normalizer) {
    this.#log = log
    this.#recorded = recorded
    this.#live = live
  }

  /**
   * @returns undefined where the messages are equal, or where the recording does not say what they were
   */
  compare(
    call: ComparedCall,
    request: RecordedRequest,
    messages: readonly JsonValue[],
  ): RequestDrift | undefined {
    const recorded = request.messages?.()
    if (recorded === undefined) return undefined
    if (request.kind === 'conversation') return this.compareMessages(call, request, recorded, messages)
    // What a summariser is told to do stands in no log; the basic one says it in a message behind the conversation's.
    const instruction = messages.at(-1)
    if (isFromPlugin(instruction)) return this.compareMessages(call, request, recorded, messages.slice(0, -1))
    if (call.purpose !== undefined) return undefined
    return this.#drift(call, request, undefined, { path: 'purpose', recorded: 'compaction', live: undefined })
  }

  /** The same for messages that are known as they are. */
  compareMessages(
    call: ComparedCall,
    place: Pick<RecordedRequest, 'seq' | 'turn' | 'step'>,
    recorded: readonly SurfaceMessage[],
    messages: readonly JsonValue[],
  ): RequestDrift | undefined {
    // No request is without messages: a log put together by hand may have only what the model said.
    if (recorded.length === 0) return undefined
    const length = Math.max(recorded.length, messages.length)
    for (let index = 0; index < length; index += 1) {
      const was = recorded[index]
      const is = messages[index]
      if (this.#isDone(was?.message, is)) continue
      const before = was === undefined ? undefined : this.#recorded.value(was.message)
      const now = is === undefined ? undefined : this.#live.value(is)
      const [change] = listChanges(before, now, 1)
      if (change === undefined) this.#setDone(was?.message, is)
      else {
        const path = joinPath(`messages[${index}]`, change.path)
        const drift = this.#drift(call, place, was?.seq, {
          path,
          recorded: change.expected,
          live: change.actual,
        })
        this.#acceptances.set(drift, () => this.#setDone(was?.message, is))
        return drift
      }
    }
    return undefined
  }

  /** From now on the messages of this difference count as equal: the requests to come have them too. */
  accept(drift: RequestDrift): void {
    this.#acceptances.get(drift)?.()
  }

  #isDone(was: JsonValue | undefined, is: JsonValue | undefined): boolean {
    if (typeof is !== 'object' || is === null) return false
    const done = this.#done.get(is)
    return done !== undefined && done.was === was && done.text === JSON.stringify(is)
  }

  #setDone(was: JsonValue | undefined, is: JsonValue | undefined): void {
    if (typeof is !== 'object' || is === null || was === undefined) return
    this.#done.set(is, { was, text: JSON.stringify(is) })
  }

  #drift(
    call: ComparedCall,
    { seq, turn, step }: Pick<RecordedRequest, 'seq' | 'turn' | 'step'>,
    messageSeq: number | undefined,
    change: Pick<RequestDrift, 'path' | 'recorded' | 'live'>,
  ): RequestDrift {
    const { script, index, purpose } = call
    const [was, is] = showPair(change.recorded, change.live, shown)
    const where = turn === undefined || step === undefined ? '' : ` (turn ${turn}, step ${step})`
    const whose = purpose === undefined ? 'model call' : `${JSON.stringify(purpose)} call`
    const message =
      `${eventPlace(this.#log, messageSeq ?? seq)}: ${whose} ${index} of ${script}, counted from 0${where}, differs from its ` +
      `recording at ${change.path}: recorded ${was}, now ${is}`
    return { script, index, ...(purpose === undefined ? {} : { purpose }), ...change, message }
  }
}

/** The error that a drift is, where it ends the run. */
export function driftError(drift: RequestDrift): SnapshotError {
  const { message, ...details } = drift
  return new SnapshotError(
    'REPLAY_DRIFT',
    `${message}. The agent puts something else before its model than the recording says, or the steps or the log were ` +
      'edited. Where that is meant, refresh the scenario (acp-snapshot refresh); where it is another in every run, add a rule of ' +
      'normalisation ("rules", on the command line --rules). To see all that it changes, let the run go on with drift: ' +
      '"report" (on the command line, --drift report).',
    { details },
  )
}

function joinPath(base: string, rest: string): string {
  return rest === '' || rest.startsWith('[') ? base + rest : `${base}.${rest}`
}

function isFromPlugin(message: JsonValue | undefined): boolean {
  if (typeof message !== 'object' || message === null || !('source' in message)) return false
  return sourceKind(message.source) === 'plugin'
}
