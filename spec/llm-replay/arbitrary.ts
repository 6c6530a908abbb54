import fc from 'fast-check'
import type { ContentBlock, FinishReason, StreamChunk, TokenUsage } from '../../src/llm-replay/chunk.ts'

const kinds = ['text', 'reasoning', 'tool-call'] as const
type Kind = (typeof kinds)[number]

function delta(kind: Kind, index: number, text: string): StreamChunk {
  if (kind === 'text') return { type: 'text-delta', index, text }
  if (kind === 'reasoning') return { type: 'reasoning-delta', index, text }
  return { type: 'tool-call-delta', index, id: `call-${index}`, name: 'bash', argumentsDelta: text }
}

function wholeBlock(kind: Kind, index: number, text: string): ContentBlock {
  if (kind === 'tool-call') return { type: kind, id: `call-${index}`, name: 'bash', arguments: text }
  return { type: kind, text }
}

/** The chunks of one block, in their order. */
const blockChunks = (index: number, mayStayOpen: boolean): fc.Arbitrary<StreamChunk[]> =>
  fc
    .record({
      kind: fc.constantFrom(...kinds),
      texts: fc.array(fc.string(), { maxLength: 4 }),
      left: fc.boolean(),
    })
    .map(({ kind, texts, left }) => {
      const chunks: StreamChunk[] = [{ type: 'block-start', index, blockType: kind }]
      for (const text of texts) chunks.push(delta(kind, index, text))
      if (!(left && mayStayOpen)) {
        chunks.push({ type: 'block-end', index, block: wholeBlock(kind, index, texts.join('')) })
      }
      return chunks
    })

const failure = { message: 'the provider is busy', code: 'RATE_LIMIT', status: 429 }
const reasons = fc.constantFrom<FinishReason>(
  { kind: 'stop' },
  { kind: 'tool-calls' },
  { kind: 'max-tokens' },
  { kind: 'aborted', failure },
  { kind: 'error', failure },
)

export const usages: fc.Arbitrary<TokenUsage> = fc.record(
  { inputTokens: fc.nat(), outputTokens: fc.nat(), cacheReadTokens: fc.nat(), reasoningTokens: fc.nat() },
  { requiredKeys: ['inputTokens', 'outputTokens'] },
)

/** Merges lists, keeping each one's order; the numbers say whose turn it is. */
function interleave(lists: readonly (readonly StreamChunk[])[], turns: readonly number[]): StreamChunk[] {
  const waiting = lists.map(list => [...list])
  const merged: StreamChunk[] = []
  for (let turn = 0; ; turn++) {
    const live = waiting.filter(list => list.length > 0)
    if (live.length === 0) return merged
    const chunk = live[(turns[turn % turns.length] ?? 0) % live.length]?.shift()
    if (chunk !== undefined) merged.push(chunk)
  }
}

/** Well-formed streams: interleaving blocks, at most one usage anywhere, a finish at the end. */
export const streams: fc.Arbitrary<StreamChunk[]> = reasons.chain(reason => {
  const mayStayOpen = !['stop', 'tool-calls'].includes(reason.kind)
  return fc
    .record({
      blocks: fc
        .uniqueArray(fc.nat({ max: 20 }), { maxLength: 4 })
        .chain(indices => fc.tuple(...indices.map(index => blockChunks(index, mayStayOpen)))),
      usage: fc.option(usages, { nil: undefined }),
      turns: fc.array(fc.nat({ max: 20 }), { minLength: 1, maxLength: 20 }),
    })
    .map(({ blocks, usage, turns }) => [
      ...interleave(usage === undefined ? blocks : [...blocks, [{ type: 'usage', usage }]], turns),
      { type: 'finish', reason },
    ])
})
