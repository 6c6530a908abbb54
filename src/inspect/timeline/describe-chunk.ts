import { asObject, asText } from '../../session-log/json-parts.ts'
import type { JsonObject } from '../../session-log/types.ts'
import { describeFailure, describeUsage } from './describe-parts.ts'
import { quoted } from './fit.ts'
import { words } from './words.ts'

/** What matters of one chunk of a stream, its type first. */
export function describeChunk(chunk: JsonObject): string {
  const block = typeof chunk.index === 'number' && `block ${chunk.index}`
  return words(asText(chunk.type), block, details(chunk))
}

function details(chunk: JsonObject): string {
  const { type } = chunk
  if (type === 'block-start') return words(asText(chunk.blockType))
  if (type === 'block-end') return describeBlock(asObject(chunk.block) ?? {})
  if (type === 'usage') return describeUsage(chunk.usage)
  if (type === 'finish') {
    const reason = asObject(chunk.reason)
    return words(asText(reason?.kind), describeFailure(reason?.failure))
  }
  return JSON.stringify(chunk)
}

function describeBlock(block: JsonObject): string {
  const said = asText(block.text) ?? asText(block.arguments)
  return words(asText(block.type), asText(block.name), said !== undefined && quoted(said))
}
