import { SnapshotError } from '../errors.ts'
import type { JsonValue } from '../session-log/types.ts'
import { abortableStream } from './abortable-stream.ts'
import {
  createNormalizer,
  type NormalizationRule,
  type NormalizeContext,
  type Normalizer,
} from '../transcript/index.ts'
import { ScriptBinder, type NextEntry } from './binding.ts'
import type { ScriptBinding } from './choose-script.ts'
import type { StreamChunk } from './chunk.ts'
import { DriftWatch } from './drift-watch.ts'
import type { ReplayEntry } from './entry.ts'
import { ReplayedFailure } from './failure.ts'
import { normalizeLineage, type SessionLineage } from './lineage.ts'
import { driftError, type RequestDrift } from './request-check.ts'
import type { SessionScript } from './script.ts'
import { serveEntry, type ServeEffects } from './serve.ts'

/**
 * A request as the composition makes it; other fields are kept for whoever looks at the call.
 *
 * @public
 */
export interface ModelRequest {
  readonly provider: string
  readonly model: string
  readonly messages: readonly JsonValue[]
  readonly sessionId?: string
  /** What an auxiliary call is for, such as `session-title`; absent on a conversation's own calls. */
  readonly purpose?: string
  readonly signal?: AbortSignal
}

/**
 * One model call of a run, with the entry that answered it.
 *
 * @public
 */
export interface ModelCall {
  readonly sessionId: string | undefined
  /** The request, as the composition made it. */
  readonly request: ModelRequest
  /** Name of the script, such as `session.jsonl`. */
  readonly script: string
  /** Position of the entry in its script, or among the answers to calls of its purpose, from 0. */
  readonly index: number
  readonly entry: ReplayEntry
}

/** What an engine is made of. */
export interface EngineOptions {
  /** The primary first. */
  readonly scripts: readonly SessionScript[]
  /** Pause before each chunk, ms. */
  readonly paceMs: number
  readonly effects: ServeEffects
  /** Told of each call, before its first chunk. */
  readonly onCall?: ((call: ModelCall) => void) | undefined
  /** Told of an error that is the replay's own, which an agent would otherwise take for one of its provider. */
  readonly onError?: ((error: SnapshotError) => void) | undefined
  /** What is known of a live session; undefined where it is no session whose conversation a recording could have. */
  readonly lineageOf?: ((sessionId: string) => SessionLineage | undefined) | undefined
  /** What the run has of its own: asked at a session's first call. */
  readonly runContext?: (() => NormalizeContext) | undefined
  /** Further rules of normalisation, for what is compared. */
  readonly rules?: readonly NormalizationRule[] | undefined
  /** Whether a request that differs from its recording ends the run or is only told of. */
  readonly drift?: 'error' | 'report' | undefined
}

/** A session of the composition that has called its model. */
interface LiveSession {
  readonly lineage: SessionLineage
  readonly normalizer: Normalizer
  /** Once a script is bound to it. */
  watch: DriftWatch | undefined
}

/** Answers model calls from the scripts. It outlives a mount only by being made anew: cursors belong to it. */
export class ReplayEngine {
  readonly #options: EngineOptions
  readonly #binder: ScriptBinder
  readonly #sessions = new Map<string, LiveSession | undefined>()
  readonly #drifts: RequestDrift[] = []

  constructor(options: EngineOptions) {
    this.#options = options
    this.#binder = new ScriptBinder(options.scripts, id => this.#session(id)?.lineage)
  }

  /** Streams the entry that is next for the calling session. The entry is taken when the stream is first read. */
  stream(request: ModelRequest): AsyncIterableIterator<StreamChunk, void, undefined> {
    return abortableStream(this.#answer(request), request.signal)
  }

  async *#answer(request: ModelRequest): AsyncGenerator<StreamChunk, void, undefined> {
    try {
      yield* this.#serve(request)
    } catch (error) {
      if (error instanceof SnapshotError) this.#options.onError?.(error)
      if (!(error instanceof ReplayedFailure)) throw error
      // So does the harness's model runtime with whatever an adapter throws; to it, a listener that throws is a defect.
      yield { type: 'finish', reason: { kind: 'error', failure: error.failure } }
    }
  }

  async *#serve(request: ModelRequest): AsyncGenerator<StreamChunk, void, undefined> {
    const { paceMs, effects, onCall } = this.#options
    const next = this.#binder.next(request.sessionId, request.purpose)
    const { script, index, entry, authored } = next
    onCall?.({ sessionId: request.sessionId, request, script: script.name, index, entry })
    this.#watch(next, request)
    yield* serveEntry(entry, {
      messages: request.messages,
      signal: request.signal,
      paceMs,
      where: `${script.name}, entry ${index}`,
      authored,
      effects,
    })
  }

  #watch(next: NextEntry, request: ModelRequest): void {
    const { sessionId } = request
    const session = sessionId === undefined ? undefined : this.#session(sessionId)
    const { log } = next.script
    if (session === undefined || log === undefined) return
    session.watch ??= new DriftWatch(next.script, log, session.normalizer, this.#options.rules)
    const drift = session.watch.drift(next, request)
    if (drift === undefined) return
    this.#drifts.push({ ...drift, time: Date.now() })
    if (this.#options.drift !== 'report') throw driftError(drift)
  }

  /** Undefined for a caller that is no session of the composition: it has no conversation to compare. */
  #session(id: string): LiveSession | undefined {
    if (!this.#sessions.has(id)) this.#sessions.set(id, this.#look(id))
    return this.#sessions.get(id)
  }

  #look(id: string): LiveSession | undefined {
    const lineage = this.#options.lineageOf?.(id)
    if (lineage === undefined) return undefined
    const own = this.#options.runContext?.() ?? { cwds: [], sessionIds: [] }
    const { parent, cwd } = lineage
    const normalizer = createNormalizer({
      ...own,
      cwds: cwd === undefined ? own.cwds : [...own.cwds, cwd],
      sessionIds: [...own.sessionIds, id, ...(parent === undefined ? [] : [parent])],
      rules: this.#options.rules ?? [],
    })
    return { lineage: normalizeLineage(lineage, normalizer), normalizer, watch: undefined }
  }

  /** Requests that differed from their recording, in order. */
  drifts(): readonly RequestDrift[] {
    return this.#drifts
  }

  /** Which live session has which script. */
  bindings(): ScriptBinding[] {
    return this.#binder.bindings()
  }

  /** @throws SnapshotError `REPLAY_UNCONSUMED`, listing what was left */
  assertConsumed(): void {
    this.#binder.assertConsumed()
  }
}
