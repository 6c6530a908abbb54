import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StreamChunk } from '../../src/llm-replay/chunk.ts'
import { checkStream, grammarProblem, type GrammarRule } from '../../src/llm-replay/grammar.ts'
import { streams } from './arbitrary.ts'
import { answer } from './logs.ts'
import { thrown } from '../support/thrown.ts'

interface Mutation {
  readonly chunks: readonly StreamChunk[]
  readonly rule: GrammarRule
  readonly at: number
}

const without = (chunks: readonly StreamChunk[], at: number): StreamChunk[] => chunks.toSpliced(at, 1)

/** Every single change of a well-formed stream, with finish at its end, that has to break a rule. */
function* mutations(chunks: readonly StreamChunk[]): Generator<Mutation> {
  const end = chunks.length - 1
  const finish = chunks[end]
  const lenient = finish?.type === 'finish' && !['stop', 'tool-calls'].includes(finish.reason.kind)
  yield { chunks: without(chunks, end), rule: 'finish-missing', at: end }
  for (const [at, chunk] of chunks.entries()) {
    yield { chunks: [...chunks, chunk], rule: 'after-finish', at: end + 1 }
    const again = chunks.toSpliced(at, 0, chunk)
    if (chunk.type === 'usage') yield { chunks: again, rule: 'usage-twice', at: at + 1 }
    if (!('index' in chunk)) continue
    for (const index of [-1, 0.5, 2 ** 53, NaN]) {
      yield { chunks: chunks.with(at, { ...chunk, index }), rule: 'index-invalid', at }
    }
    const ofBlock = chunks.findIndex(
      (other, place) => place > at && 'index' in other && other.index === chunk.index,
    )
    if (chunk.type === 'block-start') {
      yield { chunks: again, rule: 'block-open-twice', at: at + 1 }
      if (ofBlock !== -1) {
        const rule = chunks[ofBlock]?.type === 'block-end' ? 'end-without-block' : 'delta-without-block'
        yield { chunks: without(chunks, at), rule, at: ofBlock - 1 }
      }
    } else if (chunk.type === 'block-end') {
      yield { chunks: again, rule: 'end-without-block', at: at + 1 }
      yield { chunks: chunks.with(at, { ...chunk, index: 99 }), rule: 'end-without-block', at }
      yield { chunks: chunks.with(at, { ...chunk, block: { type: 'other' } }), rule: 'end-of-other-type', at }
      if (!lenient) yield { chunks: without(chunks, at), rule: 'block-left-open', at: end - 1 }
    } else {
      const type = chunk.type === 'text-delta' ? 'reasoning-delta' : 'text-delta'
      const { index } = chunk
      yield { chunks: chunks.with(at, { type, index, text: '' }), rule: 'delta-without-block', at }
      yield { chunks: chunks.with(at, { ...chunk, index: 99 }), rule: 'delta-without-block', at }
      yield { chunks: without(chunks, at).toSpliced(0, 0, chunk), rule: 'delta-without-block', at: 0 }
    }
  }
}

describe('grammar', () => {
  it('accepts every well-formed stream', () => {
    fc.assert(
      fc.property(streams, chunks => {
        expect(grammarProblem(chunks)).toBeUndefined()
      }),
    )
  })

  it('rejects every single mutation, naming chunk and rule', () => {
    fc.assert(
      fc.property(streams, chunks => {
        for (const { chunks: mutated, rule, at } of mutations(chunks)) {
          expect(grammarProblem(mutated)).toMatchObject({ rule, chunk: at })
        }
      }),
    )
  })

  it('accepts every beginning of a stream where that is asked for, and no beginning without a finish else', () => {
    fc.assert(
      fc.property(streams, fc.nat(), (chunks, length) => {
        const beginning = chunks.slice(0, length % chunks.length)
        expect(grammarProblem(beginning, { prefix: true })).toBeUndefined()
        expect(grammarProblem(beginning)).toMatchObject({ rule: 'finish-missing', chunk: beginning.length })
      }),
    )
  })

  it('rejects a broken beginning all the same', () => {
    expect(grammarProblem(answer('x').slice(1), { prefix: true })).toMatchObject({
      rule: 'delta-without-block',
    })
  })

  it('lets an index be used again once its block has ended', () => {
    const block = answer('x').slice(0, 3)
    expect(grammarProblem([...block, ...block, { type: 'finish', reason: { kind: 'stop' } }])).toBeUndefined()
  })

  it.each(['stop', 'tool-calls'] as const)('wants every block closed at %s', kind => {
    const chunks: StreamChunk[] = [
      { type: 'block-start', index: 3, blockType: 'text' },
      { type: 'block-start', index: 4, blockType: 'text' },
      { type: 'finish', reason: { kind } },
    ]
    expect(grammarProblem(chunks)).toMatchObject({ rule: 'block-left-open', chunk: 2 })
    expect(grammarProblem(chunks)?.what).toContain('leaves block 3, 4 open')
    expect(grammarProblem(chunks.with(2, { type: 'finish', reason: { kind: 'max-tokens' } }))).toBeUndefined()
  })
})

describe('checkStream', () => {
  it('passes a well-formed stream', () => {
    expect(() => checkStream(answer('x'), 'stream')).not.toThrow()
  })

  it('throws with place, chunk and rule', () => {
    const [start, delta, ...rest] = answer('x')
    const chunks = [start, { ...delta, type: 'reasoning-delta' }, ...rest] as StreamChunk[]
    const error = thrown(() => checkStream(chunks, () => 'session.jsonl: model call 0'))
    expect(error.message).toBe(
      'session.jsonl: model call 0: chunk 1 breaks the stream grammar (delta-without-block): ' +
        'reasoning-delta 0 needs an open reasoning block 0; block 0 is text.',
    )
    expect(error.details).toMatchObject({
      chunk: 1,
      rule: 'delta-without-block',
      where: 'session.jsonl: model call 0',
    })
  })
})
