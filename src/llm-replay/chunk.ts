import type { JsonValue } from '../session-log/types.ts'
import { blockCheck, type ContentBlock } from './block.ts'
import { replayInvalid, type Problem, type Where } from './problem.ts'
import { aCount, aFilledString, aNumber, anything, aString, exactly, that, variantOf } from './shape.ts'

export type { ContentBlock, UnknownContentBlock } from './block.ts'

/**
 * What a provider or its transport said when a call failed.
 *
 * @public
 */
export interface LlmFailure {
  readonly message: string
  /** Stable and machine-readable, for example `AUTH`. */
  readonly code: string
  /** HTTP status, 100 to 599. */
  readonly status?: number
  /** How long the provider asks to wait, ms. */
  readonly providerRetryAfterMs?: number
  readonly requestId?: string
}

/**
 * Why a model stopped.
 *
 * @public
 */
export type FinishReason =
  | { readonly kind: 'stop' }
  | { readonly kind: 'tool-calls' }
  | { readonly kind: 'max-tokens' }
  | { readonly kind: 'aborted'; readonly failure: LlmFailure }
  | { readonly kind: 'error'; readonly failure: LlmFailure }

/**
 * The tokens of one model call. The counts are disjoint: `inputTokens` leaves out what was read from or written to a
 * cache.
 *
 * @public
 */
export interface TokenUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens?: number
  readonly cacheWriteTokens?: number
  readonly reasoningTokens?: number
}

/**
 * One element of a model's stream. `index` says which block of the answer it belongs to; `block-end` holds the whole
 * block and is authoritative.
 *
 * @public
 */
export type StreamChunk =
  | { readonly type: 'block-start'; readonly index: number; readonly blockType: string }
  | { readonly type: 'text-delta'; readonly index: number; readonly text: string }
  | { readonly type: 'reasoning-delta'; readonly index: number; readonly text: string }
  | {
      readonly type: 'tool-call-delta'
      readonly index: number
      readonly id: string
      readonly name?: string
      readonly argumentsDelta: string
    }
  | { readonly type: 'block-end'; readonly index: number; readonly block: ContentBlock }
  | { readonly type: 'usage'; readonly usage: TokenUsage }
  | { readonly type: 'finish'; readonly reason: FinishReason; readonly replayState?: JsonValue }

export const httpStatus = {
  accepts: (value: unknown): boolean =>
    typeof value === 'number' && Number.isInteger(value) && value >= 100 && value <= 599,
  allowed: 'a whole number from 100 to 599',
}

export const retryDelay = {
  accepts: (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value) && value > 0,
  allowed: 'a number of milliseconds above 0',
}

const failure = exactly(
  { message: aFilledString, code: aFilledString },
  {
    status: that(httpStatus.accepts, httpStatus.allowed),
    providerRetryAfterMs: that(retryDelay.accepts, retryDelay.allowed),
    requestId: aFilledString,
  },
)

const usage = exactly(
  { inputTokens: aCount, outputTokens: aCount },
  { cacheReadTokens: aCount, cacheWriteTokens: aCount, reasoningTokens: aCount },
)

const plainReason = exactly({ kind: aString })
const failedReason = exactly({ kind: aString, failure })
const reason = variantOf('kind', {
  stop: plainReason,
  'tool-calls': plainReason,
  'max-tokens': plainReason,
  aborted: failedReason,
  error: failedReason,
})

const textDelta = exactly({ type: aString, index: aNumber, text: aString })
const chunk = variantOf('type', {
  'block-start': exactly({ type: aString, index: aNumber, blockType: aString }),
  'text-delta': textDelta,
  'reasoning-delta': textDelta,
  'tool-call-delta': exactly(
    { type: aString, index: aNumber, id: aString, argumentsDelta: aString },
    { name: aString },
  ),
  'block-end': exactly({ type: aString, index: aNumber, block: blockCheck }),
  usage: exactly({ type: aString, usage }),
  finish: exactly({ type: aString, reason }, { replayState: anything }),
})

/** What is wrong with the value as a chunk, if anything. */
export function chunkProblem(value: unknown): Problem | undefined {
  return chunk(value, 0)
}

/**
 * Checks the whole shape of a chunk: known types, exact keys. Whether the chunks of a stream fit each other is
 * `checkStream`'s concern.
 *
 * @param where - what the chunk is called in an error
 * @returns the same value
 * @throws SnapshotError `REPLAY_INVALID`, naming the place within the chunk
 * @public
 */
export function parseChunk(value: unknown, where: Where): StreamChunk {
  const problem = chunk(value, 0)
  if (problem !== undefined) throw replayInvalid(where, problem)
  return value as StreamChunk
}

/** The same for one content block. */
export function parseBlock(value: unknown, where: Where): ContentBlock {
  const problem = blockCheck(value, 0)
  if (problem !== undefined) throw replayInvalid(where, problem)
  return value as ContentBlock
}

/** The same for a usage. */
export function parseUsage(value: unknown, where: Where): TokenUsage {
  const problem = usage(value, 0)
  if (problem !== undefined) throw replayInvalid(where, problem)
  return value as TokenUsage
}
