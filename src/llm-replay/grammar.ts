import { SnapshotError } from '../errors.ts'
import type { StreamChunk } from './chunk.ts'
import { placeOf, type Where } from './problem.ts'

/** @public */
export interface GrammarOptions {
  /** Accept a stream that stops before its finish, as one does that throws or hangs. Default false. */
  readonly prefix?: boolean
}

/**
 * A rule of the stream grammar.
 *
 * @public
 */
export type GrammarRule =
  | 'index-invalid'
  | 'block-open-twice'
  | 'delta-without-block'
  | 'end-without-block'
  | 'end-of-other-type'
  | 'usage-twice'
  | 'block-left-open'
  | 'after-finish'
  | 'finish-missing'

/** The first chunk that breaks the grammar; its index is the stream's length where the finish is missing. */
export interface GrammarProblem {
  readonly chunk: number
  readonly rule: GrammarRule
  readonly what: string
}

type Step = Omit<GrammarProblem, 'chunk'> | undefined
type BlockChunk = Extract<StreamChunk, { readonly index: number }>
type Finish = Extract<StreamChunk, { readonly type: 'finish' }>

/** The kind of block that a delta belongs to. */
const KIND_OF_DELTA = {
  'text-delta': 'text',
  'reasoning-delta': 'reasoning',
  'tool-call-delta': 'tool-call',
} as const

/** The first breach of the stream grammar, if there is one. */
export function grammarProblem(
  chunks: readonly StreamChunk[],
  options: GrammarOptions = {},
): GrammarProblem | undefined {
  const open = new Map<number, string>()
  let usageSeen = false
  let finished = false
  for (const [index, chunk] of chunks.entries()) {
    let step: Step
    if (finished) {
      step = { rule: 'after-finish', what: `${chunk.type} comes after the finish, which ends a stream` }
    } else if (chunk.type === 'finish') {
      finished = true
      step = finishStep(open, chunk)
    } else if (chunk.type === 'usage') {
      step = usageSeen ? { rule: 'usage-twice', what: 'a second usage; a stream has at most one' } : undefined
      usageSeen = true
    } else {
      step = blockStep(open, chunk)
    }
    if (step !== undefined) return { chunk: index, ...step }
  }
  if (finished || options.prefix === true) return undefined
  return { chunk: chunks.length, rule: 'finish-missing', what: 'the stream ends without a finish' }
}

function finishStep(open: ReadonlyMap<number, string>, chunk: Finish): Step {
  const { kind } = chunk.reason
  if (open.size === 0 || kind === 'max-tokens' || kind === 'aborted' || kind === 'error') return undefined
  const blocks = [...open.keys()].join(', ')
  return {
    rule: 'block-left-open',
    what: `finish "${kind}" leaves block ${blocks} open; only max-tokens, aborted and error may`,
  }
}

function blockStep(open: Map<number, string>, chunk: BlockChunk): Step {
  const { index } = chunk
  if (!Number.isSafeInteger(index) || index < 0) {
    return { rule: 'index-invalid', what: `block index ${index} is not a safe integer, 0 or more` }
  }
  const kind = open.get(index)
  if (chunk.type === 'block-start') {
    if (kind !== undefined) {
      return { rule: 'block-open-twice', what: `block-start ${index} while block ${index} (${kind}) is open` }
    }
    open.set(index, chunk.blockType)
    return undefined
  }
  if (chunk.type === 'block-end') {
    if (kind === undefined) {
      return { rule: 'end-without-block', what: `block-end ${index}, but no block ${index} is open` }
    }
    if (kind !== chunk.block.type) {
      return {
        rule: 'end-of-other-type',
        what: `block-end ${index} holds a ${chunk.block.type} block, but block ${index} was opened as ${kind}`,
      }
    }
    open.delete(index)
    return undefined
  }
  if (kind === KIND_OF_DELTA[chunk.type]) return undefined
  return {
    rule: 'delta-without-block',
    what: `${chunk.type} ${index} needs an open ${KIND_OF_DELTA[chunk.type]} block ${index}; ${
      kind === undefined ? 'none is open' : `block ${index} is ${kind}`
    }`,
  }
}

/**
 * Checks that chunks make a well-formed stream: blocks open and close in pairs (they may interleave), a delta finds an
 * open block of its kind, at most one usage, one finish and nothing after it, and no block left open by it unless the
 * reason is max-tokens, aborted or error.
 *
 * @param where - what the stream is called in an error
 * @throws SnapshotError `REPLAY_INVALID`, naming the chunk's index and the rule (`details.chunk`, `details.rule`)
 * @public
 */
export function checkStream(
  chunks: readonly StreamChunk[],
  where: Where,
  options: GrammarOptions = {},
): void {
  const problem = grammarProblem(chunks, options)
  if (problem === undefined) return
  const place = placeOf(where)
  throw new SnapshotError(
    'REPLAY_INVALID',
    `${place}: chunk ${problem.chunk} breaks the stream grammar (${problem.rule}): ${problem.what}.`,
    { details: { where: place, ...problem } },
  )
}
