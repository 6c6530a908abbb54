import type { ContentBlock, ReplayChunksEntry, ReplayEntry, StreamChunk } from '../../src/index.ts'

/** How the deltas of one block are cut. */
interface Cut {
  /** Characters a delta. */
  readonly size: number
  /** Whether every delta of a tool call names the tool; otherwise the first alone does. */
  readonly named: boolean
}

/**
 * The same answers in many small deltas, so that a log of them holds a packed row of every kind, and runs that are too
 * short for one: the first text comes in two halves; each second tool call names its tool in every delta.
 *
 * @param script - of the kind `chunks`, as derived from a log
 */
export function inSmallDeltas(script: readonly ReplayEntry[]): ReplayChunksEntry[] {
  const seen = { text: 0, 'tool-call': 0 }
  const cutOf = (block: ContentBlock): Cut => {
    if (block.type === 'text' && seen.text++ === 0) {
      return { size: Math.ceil(contentOf(block).length / 2), named: false }
    }
    return { size: 3, named: block.type === 'tool-call' && seen['tool-call']++ % 2 === 1 }
  }
  return script.map(entry => {
    if (entry.kind !== 'chunks') throw new Error(`a ${entry.kind} has no blocks to cut`)
    const chunks = entry.chunks.flatMap((chunk): StreamChunk[] => {
      if (isDelta(chunk)) return []
      if (chunk.type !== 'block-end') return [chunk]
      return [...deltasOf(chunk.index, chunk.block, cutOf(chunk.block)), chunk]
    })
    return { kind: 'chunks', chunks }
  })
}

function isDelta({ type }: StreamChunk): boolean {
  return type === 'text-delta' || type === 'reasoning-delta' || type === 'tool-call-delta'
}

function deltasOf(index: number, block: ContentBlock, { size, named }: Cut): StreamChunk[] {
  const pieces = contentOf(block).match(new RegExp(`.{1,${size}}`, 'gsu')) ?? []
  return pieces.map((piece, at): StreamChunk => {
    if (block.type === 'text') return { type: 'text-delta', index, text: piece }
    if (block.type === 'reasoning') return { type: 'reasoning-delta', index, text: piece }
    const { id, name } = block as Extract<ContentBlock, { readonly type: 'tool-call'; readonly id: string }>
    const tool = named || at === 0 ? { name } : {}
    return { type: 'tool-call-delta', index, id, ...tool, argumentsDelta: piece }
  })
}

/** What the deltas of a block add up to. */
function contentOf(block: ContentBlock): string {
  const content = 'arguments' in block ? block.arguments : 'text' in block ? block.text : undefined
  if (typeof content !== 'string') throw new Error(`a ${block.type} block comes in no deltas`)
  return content
}
