import { SnapshotError } from '../errors.ts'
import type { JsonValue } from '../session-log/types.ts'
import { abortableStream } from './abortable-stream.ts'
import { ScriptBinder, type ScriptBinding } from './binding.ts'
import type { StreamChunk } from './chunk.ts'
import type { ReplayEntry } from './entry.ts'
import { ReplayedFailure } from './failure.ts'
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
  /** Position of the entry in its script, from 0. */
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
}

/** Answers model calls from the scripts. It outlives a mount only by being made anew: cursors belong to it. */
export class ReplayEngine {
  readonly #options: EngineOptions
  readonly #binder: ScriptBinder

  constructor(options: EngineOptions) {
    this.#options = options
    this.#binder = new ScriptBinder(options.scripts)
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
    const { script, index, entry, authored } = this.#binder.next(request.sessionId)
    onCall?.({ sessionId: request.sessionId, request, script: script.name, index, entry })
    yield* serveEntry(entry, {
      messages: request.messages,
      signal: request.signal,
      paceMs,
      where: `${script.name}, entry ${index}`,
      authored,
      effects,
    })
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
