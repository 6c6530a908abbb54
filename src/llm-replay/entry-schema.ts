import { z } from 'zod'
import { chunkProblem, httpStatus, retryDelay, type StreamChunk } from './chunk.ts'
import { grammarProblem, type GrammarOptions } from './grammar.ts'
import { describe, under } from './problem.ts'
import { isReadyFile, READY_FILE_ALLOWED } from './ready-file.ts'
import { isObject } from './shape.ts'
import { allow, exactObject, issueOf } from './zod-problems.ts'

/** What a hang streams before it waits, where the entry doesn't say. */
export const HANG_PREFIX: readonly StreamChunk[] = [
  { type: 'block-start', index: 0, blockType: 'text' },
  { type: 'text-delta', index: 0, text: 'partial' },
]

/** The longest delay that a timer keeps; beyond it, it fires at once. */
export const LONGEST_DELAY_MS = 2 ** 31 - 1

const filled = z.string(allow('a non-empty string')).min(1, allow('a non-empty string'))

/** A wait that a timer can keep, ms. */
export const milliseconds = z.custom<number>(
  value => typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= LONGEST_DELAY_MS,
  allow(`a whole number of milliseconds from 0 to ${LONGEST_DELAY_MS}`),
)

/** Chunk by chunk first: the grammar reads only what has the right shape. */
function stream(options: GrammarOptions): z.ZodType<readonly StreamChunk[]> {
  return z.array(z.custom<StreamChunk>(), allow('an array of chunks')).superRefine((chunks, context) => {
    for (const [index, chunk] of chunks.entries()) {
      const problem = chunkProblem(chunk)
      if (problem !== undefined) {
        context.addIssue(issueOf(under(index, problem)))
        return
      }
    }
    const problem = grammarProblem(chunks, options)
    if (problem === undefined) return
    const message = `the stream grammar is broken (${problem.rule}): ${problem.what}`
    context.addIssue({ code: 'custom', path: [problem.chunk], message })
  })
}

const gates = z.array(
  exactObject({
    after: z.custom<number>(
      value => Number.isSafeInteger(value) && Number(value) >= 0,
      allow('a whole number of chunks, 0 or more'),
    ),
    name: filled,
  }),
  allow('an array of {after, name}'),
)

interface Gated {
  readonly chunks?: readonly StreamChunk[]
  readonly gates?: readonly { readonly after: number }[]
}

function gatesFit(entry: Gated, context: z.core.$RefinementCtx): void {
  const { length } = entry.chunks ?? HANG_PREFIX
  for (const [index, gate] of (entry.gates ?? []).entries()) {
    if (gate.after <= length) continue
    const message = `found ${gate.after}; allowed: 0 to ${length}, the number of chunks`
    context.addIssue({ code: 'custom', path: ['gates', index, 'after'], message })
  }
}

const chunksEntry = exactObject({
  kind: z.literal('chunks'),
  chunks: stream({}),
  gates: gates.exactOptional(),
  delayMs: milliseconds.exactOptional(),
}).superRefine(gatesFit)

const throwEntry = exactObject({
  kind: z.literal('throw'),
  chunks: stream({ prefix: true }),
  message: filled,
  code: filled,
  status: z.custom<number>(httpStatus.accepts, allow(httpStatus.allowed)).exactOptional(),
  providerRetryAfterMs: z.custom<number>(retryDelay.accepts, allow(retryDelay.allowed)).exactOptional(),
  requestId: filled.exactOptional(),
})

const hangEntry = exactObject({
  kind: z.literal('hang'),
  readyFile: z
    .string(allow(READY_FILE_ALLOWED))
    .refine(isReadyFile, allow(READY_FILE_ALLOWED))
    .exactOptional(),
  chunks: stream({ prefix: true }).exactOptional(),
  gates: gates.exactOptional(),
  delayMs: milliseconds.exactOptional(),
}).superRefine(gatesFit)

/** A replay entry with exact keys, well-formed streams, and gates within them. */
export const replayEntrySchema = z.discriminatedUnion('kind', [chunksEntry, throwEntry, hangEntry], {
  error: ({ input }) =>
    isObject(input)
      ? `found ${describe(input.kind)}; allowed: "chunks", "throw", "hang"`
      : `found ${describe(input)}; allowed: an entry, which is an object with "kind"`,
})
