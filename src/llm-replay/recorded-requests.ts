import { SurfaceFold, type SurfaceMessage } from '../session-log/surface-fold.ts'
import type { JsonObject, JsonValue, SessionEvent, SessionLog } from '../session-log/types.ts'

/** A request to the model that a log tells of. */
export interface RecordedRequest {
  /** The seq of the event that tells of it: its first chunk, its compaction, the start of its step. */
  readonly seq: number
  readonly turn?: number
  readonly step?: number
  readonly kind: 'conversation' | 'compaction'
  /** Whether it may not have been made: the log holds nothing of its answer. */
  readonly optional: boolean
  /** What the model was given; undefined where the log doesn't say. */
  readonly messages: (() => readonly SurfaceMessage[]) | undefined
}

interface Place {
  readonly seq: number
  readonly turn?: number
  readonly step?: number
}

/**
 * The requests of a session, in order, each with the messages that folding the surface events up to it gives. A step
 * without a chunk may have made one, with what its user messages have added; a compaction that is not marked as a model
 * call may have made one too, with messages that nobody knows.
 *
 * @throws SnapshotError `SESSION_LOG_INVALID` where a surface event replaces what is not there
 */
export function recordedRequests(log: SessionLog): RecordedRequest[] {
  const walk = new RequestWalk(log)
  for (const event of log.events) walk.visit(event)
  return walk.end()
}

/** Whether {@link recordedRequests} finds any. */
export function tellsOfRequests({ header, events }: SessionLog): boolean {
  return events.some(event => event.seq >= (header.seedLength ?? 0) && tellsOfRequest(event))
}

function tellsOfRequest({ type, data }: SessionEvent): boolean {
  return requestTypes.has(type) || (type === 'compaction/summary' && data.llmStreamCall === true)
}

const requestTypes: ReadonlySet<string> = new Set([
  'step/start',
  'llm/retry-started',
  'assistant/chunk',
  'compaction/start',
])

class RequestWalk {
  readonly #requests: RecordedRequest[] = []
  readonly #fold: SurfaceFold
  readonly #seedLength: number
  /** The step that is going on. */
  #step: Place | undefined
  /** A step, or an attempt of one, whose stream has not begun. */
  #silent: Place | undefined
  /** The step whose stream is going on. */
  #open: Place | undefined
  /** Where among the requests the compaction is that is going on. */
  #compaction: number | undefined

  constructor(log: SessionLog) {
    this.#fold = new SurfaceFold(log)
    this.#seedLength = log.header.seedLength ?? 0
  }

  visit(event: SessionEvent): void {
    if (event.seq >= this.#seedLength) this.#note(event)
    this.#fold.apply(event)
  }

  end(): RecordedRequest[] {
    this.#endSilence()
    return this.#requests
  }

  #note(event: SessionEvent): void {
    switch (event.type) {
      case 'step/start':
      case 'llm/retry-started':
        this.#endSilence()
        this.#step = placeOf(event)
        this.#silent = this.#step
        return
      case 'assistant/chunk':
        this.#noteChunk(event)
        return
      case 'compaction/start':
        this.#compaction = this.#requests.length
        this.#requests.push({ ...placeOf(event), kind: 'compaction', optional: true, messages: undefined })
        return
      case 'compaction/summary':
        this.#open = undefined
        if (event.data.llmStreamCall === true) this.#noteSummary(event)
        return
      case 'compaction/end':
        this.#compaction = undefined
        // What makes a step compact is a request that was too long: it is made again, and no event says so.
        if (this.#step !== undefined && event.data.error === undefined) {
          this.#silent = { ...this.#step, seq: event.seq }
        }
        return
      case 'step/end':
      case 'turn/end':
        this.#endSilence()
        this.#step = undefined
        return
      case 'assistant/message':
      case 'tool/result':
      case 'llm/retry':
        this.#endSilence()
        return
      default:
    }
  }

  #noteChunk(event: SessionEvent): void {
    const place = placeOf(event)
    if (this.#open === undefined || this.#open.turn !== place.turn || this.#open.step !== place.step) {
      this.#open = place
      this.#silent = undefined
      this.#push({ ...place, kind: 'conversation', optional: false })
    }
    if (isFinish(event.data.chunk)) this.#open = undefined
  }

  #noteSummary({ seq, data }: SessionEvent): void {
    const shadowed = new Set(Array.isArray(data.shadowedSeqs) ? data.shadowedSeqs : [])
    const view = this.#fold.view()
    const request: RecordedRequest = {
      seq,
      kind: 'compaction',
      optional: false,
      messages: () => view.messages().filter(message => shadowed.has(message.seq)),
    }
    if (this.#compaction === undefined) this.#requests.push(request)
    else this.#requests[this.#compaction] = request
    this.#compaction = undefined
  }

  #endSilence(): void {
    const place = this.#silent
    if (place === undefined) return
    this.#silent = undefined
    this.#push({ ...place, kind: 'conversation', optional: true })
  }

  #push(request: Omit<RecordedRequest, 'messages'>): void {
    const view = this.#fold.view()
    this.#requests.push({ ...request, messages: () => view.messages() })
  }
}

function placeOf({ seq, data }: SessionEvent): Place {
  const { turn, step }: JsonObject = data
  return {
    seq,
    ...(typeof turn === 'number' ? { turn } : {}),
    ...(typeof step === 'number' ? { step } : {}),
  }
}

function isFinish(chunk: JsonValue | undefined): boolean {
  return typeof chunk === 'object' && chunk !== null && 'type' in chunk && chunk.type === 'finish'
}
