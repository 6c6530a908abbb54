import type { JsonValue, SessionLog } from '../session-log/types.ts'
import {
  createNormalizer,
  fixtureContext,
  type NormalizationRule,
  type Normalizer,
} from '../transcript/index.ts'
import type { NextEntry } from './binding.ts'
import { deriveTitleCalls, titlePurpose, type TitleCall } from './derive-titles.ts'
import { recordedRequests, type RecordedRequest } from './recorded-requests.ts'
import { RequestCheck, type ComparedCall, type RequestDrift } from './request-check.ts'
import type { SessionScript } from './script.ts'

/** What is looked at of a live request. */
export interface WatchedRequest {
  readonly messages: readonly JsonValue[]
  readonly purpose?: string
}

/** Follows one session through its recording, request by request. */
export class DriftWatch {
  readonly #script: Pick<SessionScript, 'name' | 'places'>
  readonly #check: RequestCheck
  readonly #requests: readonly RecordedRequest[]
  /** By the seq that tells of it, where a request is among them. */
  readonly #positions: ReadonlyMap<number, number>
  readonly #titles: readonly TitleCall[]
  /** The first recorded request that no call has come to yet. */
  #position = 0

  /**
   * @param script - what answers the session
   * @param log - the recording that the script was made from
   * @param live - normalises what the session gives its model
   * @param rules - further rules of normalisation, which `live` follows too
   */
  constructor(
    script: Pick<SessionScript, 'name' | 'places'>,
    log: SessionLog,
    live: Normalizer,
    rules: readonly NormalizationRule[] = [],
  ) {
    this.#script = script
    this.#check = new RequestCheck(log, createNormalizer({ ...fixtureContext(log), rules }), live)
    this.#requests = recordedRequests(log)
    this.#positions = new Map(this.#requests.map(({ seq }, position) => [seq, position]))
    this.#titles = deriveTitleCalls(log)
  }

  /**
   * The first difference between a request and its recording that no earlier request had; undefined where there is none,
   * or where nothing was recorded of it.
   */
  drift(
    { lane, index }: Pick<NextEntry, 'lane' | 'index'>,
    request: WatchedRequest,
  ): RequestDrift | undefined {
    const { purpose } = request
    const call = { script: this.#script.name, index, ...(purpose === undefined ? {} : { purpose }) }
    const drift = lane === undefined ? this.#inConversation(call, request) : this.#inLane(lane, call, request)
    if (drift !== undefined) this.#check.accept(drift)
    return drift
  }

  #inLane(lane: string, call: ComparedCall, { messages }: WatchedRequest): RequestDrift | undefined {
    const title = lane === titlePurpose ? this.#titles[call.index] : undefined
    if (title === undefined) return undefined
    const { seq } = title
    const recorded = title.messages.map(message => ({ seq, message }))
    return this.#check.compareMessages(call, { seq }, recorded, messages)
  }

  /** An entry that was derived has its place in the log; one of an override is the next in order. */
  #inConversation(call: ComparedCall, request: WatchedRequest): RequestDrift | undefined {
    const place = this.#script.places?.[call.index]
    const position = place === undefined ? undefined : this.#positions.get(place)
    const recorded = position === undefined ? undefined : this.#requests[position]
    if (position === undefined || recorded === undefined) return this.#next(call, request)
    this.#position = position + 1
    return this.#check.compare(call, recorded, request.messages)
  }

  /**
   * A recorded request that may not have been made is passed over where the next one fits. Where none fits, one with as
   * many messages is meant, else the last that it could have been.
   */
  #next(call: ComparedCall, { messages, purpose }: WatchedRequest): RequestDrift | undefined {
    let nearest: { readonly position: number; readonly drift: RequestDrift } | undefined
    let isAlike = false
    for (let position = this.#position; ; position += 1) {
      const request = this.#requests[position]
      if (request === undefined) break
      if (request.messages === undefined && purpose !== 'compaction') continue
      const drift = this.#check.compare(call, request, messages)
      if (drift === undefined) {
        this.#position = position + 1
        return undefined
      }
      if (!isAlike) nearest = { position, drift }
      isAlike ||= request.messages?.().length === messages.length
      if (!request.optional) break
    }
    if (nearest === undefined) return undefined
    this.#position = nearest.position + 1
    return nearest.drift
  }
}
