import type { FinishReason, StreamChunk, TokenUsage } from '../llm-replay/chunk.ts'
import type { InspectedCall } from './types.ts'

type StreamFacts = Pick<
  InspectedCall,
  'unterminated' | 'finish' | 'usage' | 'chunkCounts' | 'text' | 'reasoning'
>

/** What a block has said. */
interface Said {
  readonly index: number
  readonly type: string
  text: string
}

/** What a stream says, in short. */
export function streamFacts(chunks: readonly StreamChunk[]): StreamFacts {
  const chunkCounts: Record<StreamChunk['type'], number> = {
    'block-start': 0,
    'text-delta': 0,
    'reasoning-delta': 0,
    'tool-call-delta': 0,
    'block-end': 0,
    usage: 0,
    finish: 0,
  }
  let usage: TokenUsage | undefined
  let finish: FinishReason | undefined
  const said: Said[] = []
  for (const chunk of chunks) {
    chunkCounts[chunk.type] += 1
    if (chunk.type === 'usage') usage = chunk.usage
    else if (chunk.type === 'finish') finish = chunk.reason
    else if (chunk.type === 'block-end' && 'text' in chunk.block && typeof chunk.block.text === 'string') {
      said.push({ index: chunk.index, type: chunk.block.type, text: chunk.block.text })
    }
  }
  // A block's end holds all of it: deltas are needed only where a stream was cut off.
  if (chunkCounts['block-start'] > chunkCounts['block-end']) said.push(...cutOff(chunks))
  said.sort((a, b) => a.index - b.index)
  const joined = (type: string): string =>
    said
      .filter(block => block.type === type)
      .map(({ text }) => text)
      .join('\n')
  return {
    unterminated: finish === undefined,
    ...(finish === undefined ? {} : { finish }),
    ...(usage === undefined ? {} : { usage }),
    chunkCounts,
    text: joined('text'),
    reasoning: joined('reasoning'),
  }
}

/** What blocks without an end have said. */
function cutOff(chunks: readonly StreamChunk[]): Said[] {
  const open = new Map<number, Said>()
  for (const chunk of chunks) {
    if (chunk.type === 'block-start')
      open.set(chunk.index, { index: chunk.index, type: chunk.blockType, text: '' })
    if (chunk.type === 'block-end') open.delete(chunk.index)
    if (chunk.type !== 'text-delta' && chunk.type !== 'reasoning-delta') continue
    const block = open.get(chunk.index)
    if (block !== undefined) block.text += chunk.text
  }
  return [...open.values()]
}
