import { describe, expect, it } from 'vitest'

import { streamFacts } from '../../src/inspect/stream-facts.ts'
import type { StreamChunk } from '../../src/llm-replay/chunk.ts'

const start = (index: number, blockType: string): StreamChunk => ({ type: 'block-start', index, blockType })
const text = (index: number, said: string): StreamChunk => ({ type: 'text-delta', index, text: said })
const end = (index: number, type: 'text' | 'reasoning', said: string): StreamChunk => ({
  type: 'block-end',
  index,
  block: { type, text: said },
})
const usage: StreamChunk = { type: 'usage', usage: { inputTokens: 1, outputTokens: 2 } }
const finish: StreamChunk = { type: 'finish', reason: { kind: 'stop' } }

describe('streamFacts', () => {
  it('counts chunks by type and tells what was said', () => {
    const call = { type: 'tool-call', id: 'c', name: 'bash', arguments: '{}' } as const
    const facts = streamFacts([
      start(0, 'reasoning'),
      { type: 'reasoning-delta', index: 0, text: 'Hm.' },
      end(0, 'reasoning', 'Hm.'),
      start(1, 'text'),
      text(1, 'Yes'),
      text(1, '.'),
      end(1, 'text', 'Yes.'),
      start(2, 'tool-call'),
      { type: 'tool-call-delta', index: 2, id: 'c', name: 'bash', argumentsDelta: '{}' },
      { type: 'block-end', index: 2, block: call },
      usage,
      finish,
    ])
    expect(facts).toEqual({
      unterminated: false,
      finish: { kind: 'stop' },
      usage: { inputTokens: 1, outputTokens: 2 },
      chunkCounts: {
        'block-start': 3,
        'text-delta': 2,
        'reasoning-delta': 1,
        'tool-call-delta': 1,
        'block-end': 3,
        usage: 1,
        finish: 1,
      },
      text: 'Yes.',
      reasoning: 'Hm.',
    })
  })

  it('gives blocks in the order of their indices, however they interleave', () => {
    const chunks = [start(0, 'text'), start(1, 'text'), end(1, 'text', 'two'), end(0, 'text', 'one'), finish]
    expect(streamFacts(chunks).text).toBe('one\ntwo')
  })

  it('takes the deltas of blocks that have no end', () => {
    const cut = streamFacts([
      start(0, 'reasoning'),
      { type: 'reasoning-delta', index: 0, text: 'Hm.' },
      end(0, 'reasoning', 'Hm.'),
      start(1, 'text'),
      text(1, 'par'),
      text(1, 'tial'),
      text(7, 'of no block'),
      start(2, 'tool-call'),
    ])
    expect(cut).toMatchObject({ unterminated: true, text: 'partial', reasoning: 'Hm.' })
    expect(cut).not.toHaveProperty('finish')
    expect(cut).not.toHaveProperty('usage')
  })

  it('says nothing of no chunks', () => {
    expect(streamFacts([])).toMatchObject({ unterminated: true, text: '', reasoning: '' })
  })
})
