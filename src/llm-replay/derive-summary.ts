import type { JsonObject } from '../session-log/types.ts'
import { parseBlock, parseUsage, type StreamChunk } from './chunk.ts'
import { describe, placeOf, replayInvalid, type Where } from './problem.ts'

/**
 * The model call behind a compaction summary, made up from its recorded output: the log keeps blocks, not chunks.
 *
 * @param data - of a `compaction/summary` event
 * @returns the call's stream; undefined where the summary is not marked as a call of this session's model
 */
export function summaryCall(data: JsonObject, where: Where): StreamChunk[] | undefined {
  if (data.llmStreamCall !== true) return undefined
  const { rawOutput, usage } = data
  if (!Array.isArray(rawOutput)) {
    const message =
      `found ${describe(rawOutput)}; allowed: the blocks of the summariser's answer, since llmStreamCall marks this ` +
      'summary as a model call'
    throw replayInvalid(where, { path: ['data', 'rawOutput'], message })
  }
  const chunks: StreamChunk[] = []
  for (const [index, value] of rawOutput.entries()) {
    const block = parseBlock(value, () => `${placeOf(where)}, data.rawOutput[${index}]`)
    chunks.push({ type: 'block-start', index, blockType: block.type }, { type: 'block-end', index, block })
  }
  if (usage !== undefined) {
    chunks.push({ type: 'usage', usage: parseUsage(usage, () => `${placeOf(where)}, data.usage`) })
  }
  chunks.push({ type: 'finish', reason: { kind: 'stop' } })
  return chunks
}
