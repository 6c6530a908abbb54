import type { ReplayChunksEntry, StepInput, StreamChunk } from '../../src/index.ts'

/** What a model says in one call: texts, and tools that it calls. */
export type Answer =
  { readonly text: string } | { readonly tool: string; readonly args: object; readonly id?: string }

/** A model call that answers with these blocks, a chunk each. */
export function answers(...blocks: readonly Answer[]): ReplayChunksEntry {
  const chunks = blocks.flatMap((block, index): StreamChunk[] => {
    if ('text' in block) {
      const { text } = block
      return [
        { type: 'block-start', index, blockType: 'text' },
        { type: 'text-delta', index, text },
        { type: 'block-end', index, block: { type: 'text', text } },
      ]
    }
    const { tool: name, id = `call_${name}_${index}` } = block
    const args = JSON.stringify(block.args)
    return [
      { type: 'block-start', index, blockType: 'tool-call' },
      { type: 'tool-call-delta', index, id, name, argumentsDelta: args },
      { type: 'block-end', index, block: { type: 'tool-call', id, name, arguments: args } },
    ]
  })
  const kind = blocks.some(block => 'tool' in block) ? 'tool-calls' : 'stop'
  return {
    kind: 'chunks',
    chunks: [
      ...chunks,
      { type: 'usage', usage: { inputTokens: 1, outputTokens: 1 } },
      { type: 'finish', reason: { kind } },
    ],
  }
}

/** A call of the bash tool. */
export function bash(command: string): Answer {
  return { tool: 'bash', args: { command, description: 'Run it' } }
}

/** The steps that open a session, then one prompt each. */
export function prompts(...texts: readonly string[]): StepInput[] {
  const sent = texts.map((text): StepInput => ({ op: 'prompt', text }))
  return [{ op: 'initialize' }, { op: 'newSession' }, ...sent]
}
