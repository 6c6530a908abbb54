import type { z } from 'zod'
import type { StreamChunk } from './chunk.ts'
import { replayEntrySchema } from './entry-schema.ts'
import type { Where } from './problem.ts'
import { parseWith } from './zod-problems.ts'

export { replayEntrySchema } from './entry-schema.ts'

/**
 * A stop on the way through a stream: after that many chunks, wait for the signal of that name.
 *
 * @public
 */
export interface ReplayGate {
  /** How many chunks come first: 0 to the number of chunks. */
  readonly after: number
  readonly name: string
}

/**
 * A call that streams these chunks and ends.
 *
 * @public
 */
export interface ReplayChunksEntry {
  readonly kind: 'chunks'
  readonly chunks: readonly StreamChunk[]
  readonly gates?: readonly ReplayGate[]
  /** Pause before each chunk, ms; in place of the plugin's own `paceMs`. */
  readonly delayMs?: number
}

/**
 * A call that streams these chunks (a stream's beginning) and then throws.
 *
 * @public
 */
export interface ReplayThrowEntry {
  readonly kind: 'throw'
  readonly chunks: readonly StreamChunk[]
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
 * A call that streams a beginning, writes the empty `readyFile` if it names one, and waits for the abort.
 *
 * @public
 */
export interface ReplayHangEntry {
  readonly kind: 'hang'
  /** Relative to the working directory, and inside it. */
  readonly readyFile?: string
  /** Default: a text block 0 that has said "partial". */
  readonly chunks?: readonly StreamChunk[]
  readonly gates?: readonly ReplayGate[]
  /** Pause before each chunk, ms; in place of the plugin's own `paceMs`. */
  readonly delayMs?: number
}

/**
 * What answers one model call.
 *
 * @public
 */
export type ReplayEntry = ReplayChunksEntry | ReplayThrowEntry | ReplayHangEntry

/**
 * Checks an entry: exact keys, each chunk's shape, the stream's grammar, gates within the stream.
 *
 * @param where - what the entry is called in an error
 * @throws SnapshotError `REPLAY_INVALID`: place, what is wrong, what is allowed
 */
export function parseEntry(value: unknown, where: Where): ReplayEntry {
  return parseWith(replayEntrySchema satisfies z.ZodType<ReplayEntry>, value, where)
}
