import type { LlmFailure } from '../llm-replay/chunk.ts'
import { asArray, asObject, asText } from '../session-log/json-parts.ts'
import { runsOf } from '../session-log/runs.ts'
import type { JsonObject, JsonValue, SessionEvent, SessionLog } from '../session-log/types.ts'
import { placeIn } from './place.ts'
import type {
  InspectedCompaction,
  InspectedError,
  InspectedHeader,
  InspectedStep,
  InspectedTurn,
} from './types.ts'
import { usageIn } from './usage.ts'

type Writable<T> = { -readonly [Key in keyof T]: T[Key] }

/** What one pass over a session's own events finds. */
export class SessionWalk {
  readonly turns: Writable<InspectedTurn>[] = []
  readonly steps: Writable<InspectedStep>[] = []
  readonly errors: InspectedError[] = []
  readonly compactions: Writable<InspectedCompaction>[] = []
  readonly headers: InspectedHeader[] = []
  readonly #log: SessionLog
  /** What is done with an event, by its type. */
  readonly #notes = new Map<string, (event: SessionEvent) => void>([
    ['turn/start', event => void this.#turnOf(event)],
    ['turn/end', event => this.#endTurn(event)],
    ['step/start', event => this.#startStep(event)],
    ['step/end', event => this.#endStep(event)],
    ['llm/retry', event => this.#noteRetry(event)],
    ['compaction/start', event => void this.#beginCompaction('summary', event)],
    ['compaction/summary', event => this.#noteSummary(event)],
    ['compaction/end', event => this.#endCompaction(event)],
    ['compaction/prune', event => this.#notePrune(event)],
    ['request/header', event => this.#noteHeader(event)],
  ])

  constructor(log: SessionLog) {
    this.#log = log
    const { events, header } = log
    const runs = runsOf(events)[Symbol.iterator]()
    let run = runs.next().value
    for (let seq = header.seedLength ?? 0; seq < events.length; seq += 1) {
      while (run !== undefined && run.end <= seq) run = runs.next().value
      if (run !== undefined && run.start <= seq) seq = run.end - 1
      else this.#visit(events[seq])
    }
  }

  #visit(event: SessionEvent | undefined): void {
    if (event !== undefined) this.#notes.get(event.type)?.(event)
  }

  /** The turn that an event is of; a fork's first may have begun in what it has inherited. */
  #turnOf({ seq, data }: SessionEvent): Writable<InspectedTurn> | undefined {
    const { turn } = data
    if (typeof turn !== 'number') return undefined
    const last = this.turns.at(-1)
    if (last?.turn === turn) return last
    const begun = { ...placeIn(this.#log, seq), turn, steps: 0 }
    this.turns.push(begun)
    return begun
  }

  #endTurn(event: SessionEvent): void {
    const turn = this.#turnOf(event)
    if (turn === undefined) return
    const reason = asObject(event.data.reason)
    const error = failureIn(reason?.error)
    const abortedBy = asText(asObject(reason?.reason)?.kind)
    turn.end = {
      reason: asText(reason?.kind) ?? 'unknown',
      ...(error === undefined ? {} : { error }),
      ...(abortedBy === undefined ? {} : { abortedBy }),
    }
    if (error !== undefined) this.#fail('turn', event, error)
  }

  #startStep(event: SessionEvent): void {
    const turn = this.#turnOf(event)
    const { step } = event.data
    if (turn === undefined || typeof step !== 'number') return
    turn.steps += 1
    this.steps.push({ ...placeIn(this.#log, event.seq), turn: turn.turn, step, ended: false })
  }

  #endStep({ data }: SessionEvent): void {
    const step = this.steps.findLast(({ turn, step }) => turn === data.turn && step === data.step)
    if (step !== undefined) step.ended = true
  }

  #noteRetry(event: SessionEvent): void {
    this.#fail('retry', event, failureIn(event.data.failure) ?? { message: 'a request was tried again' })
  }

  #noteSummary(event: SessionEvent): void {
    const open = this.#compactionOf(event)
    const usage = usageIn(event.data.usage)
    Object.assign(open, shadowed(event.data), usage === undefined ? {} : { usage })
  }

  #endCompaction(event: SessionEvent): void {
    const open = this.#compactionOf(event)
    const error = asText(event.data.error)
    open.ended = true
    if (error === undefined) return
    open.error = error
    this.#fail('compaction', event, { message: error })
  }

  #compactionOf(event: SessionEvent): Writable<InspectedCompaction> {
    const id = asText(event.data.compactionId)
    const open = this.compactions.findLast(compaction => !compaction.ended && compaction.id === id)
    if (open !== undefined) return open
    return this.#beginCompaction('summary', event)
  }

  #beginCompaction(
    kind: InspectedCompaction['kind'],
    { seq, data }: SessionEvent,
  ): Writable<InspectedCompaction> {
    const id = asText(data.compactionId)
    const place = placeIn(this.#log, seq)
    const begun = { kind, ...(id === undefined ? {} : { id }), ...place, ended: kind === 'prune' }
    this.compactions.push(begun)
    return begun
  }

  #notePrune(event: SessionEvent): void {
    Object.assign(this.#beginCompaction('prune', event), shadowed(event.data))
  }

  #noteHeader({ seq, data }: SessionEvent): void {
    const config = asObject(asObject(data.header)?.config)
    const [provider, model] = [asText(config?.provider), asText(config?.model)]
    this.headers.push({
      ...placeIn(this.#log, seq),
      reason: asText(data.reason) ?? 'unknown',
      ...(provider === undefined ? {} : { provider }),
      ...(model === undefined ? {} : { model }),
    })
  }

  #fail(
    kind: InspectedError['kind'],
    { seq }: SessionEvent,
    error: { message: string; code?: string },
  ): void {
    const { message, code } = error
    this.errors.push({ kind, ...placeIn(this.#log, seq), message, ...(code === undefined ? {} : { code }) })
  }
}

function shadowed({ shadowedSeqs, shadowedTokenCount }: JsonObject) {
  return {
    shadowedMessages: asArray(shadowedSeqs).length,
    ...(typeof shadowedTokenCount === 'number' ? { shadowedTokens: shadowedTokenCount } : {}),
  }
}

/** A failure as an event holds it; undefined for what has no message and no code. */
function failureIn(value: JsonValue | undefined): LlmFailure | undefined {
  const failure = asObject(value)
  const [message, code] = [asText(failure?.message), asText(failure?.code)]
  if (failure === undefined || (message === undefined && code === undefined)) return undefined
  return { ...failure, message: message ?? '', code: code ?? 'UNKNOWN' }
}
