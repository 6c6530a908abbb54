import { describe, expect, it } from 'vitest'

import { inspectCalls } from '../../src/inspect/inspect-calls.ts'
import { Problems } from '../../src/inspect/problems.ts'
import type { FoundSession } from '../../src/inspect/read-folder.ts'
import type { InspectedCall, InspectedProblem } from '../../src/inspect/types.ts'
import type { ReplayOverrideDoc } from '../../src/llm-replay/override.ts'
import { call, chunk, cutCall, logOf, packed, usage, type Row } from './logs.ts'

function inspect(
  rows: readonly Row[],
  more: { doc?: ReplayOverrideDoc; partial?: boolean; seedLength?: number } = {},
): { calls: InspectedCall[]; problems: InspectedProblem[] } {
  const { doc, partial = false, seedLength } = more
  const session: FoundSession = {
    name: 'session.jsonl',
    file: 'session.jsonl',
    log: logOf(rows, seedLength === undefined ? {} : { seedLength }),
    partial,
    ...(doc === undefined
      ? {}
      : { override: { file: 'replay.override.json', path: 'a/replay.override.json', doc } }),
  }
  const problems = new Problems()
  return { calls: inspectCalls(session, problems), problems: problems.list }
}

const hang = { kind: 'hang' } as const

describe('inspectCalls', () => {
  it('tells of each call where it is and what was said', () => {
    const { calls, problems } = inspect([
      ...call(1, 1, ['a', 'b']),
      ...call(1, 2, ['c'], { kind: 'max-tokens' }),
    ])
    expect(problems).toEqual([])
    expect(calls).toMatchObject([
      {
        kind: 'conversation',
        seq: 0,
        line: 2,
        turn: 1,
        step: 1,
        text: 'ab',
        usage,
        finish: { kind: 'stop' },
      },
      { kind: 'conversation', seq: 6, line: 8, turn: 1, step: 2, text: 'c', finish: { kind: 'max-tokens' } },
    ])
    expect(calls.map(({ overridden, unterminated }) => [overridden, unterminated])).toEqual([
      [false, false],
      [false, false],
    ])
  })

  it('keeps the chunks out of JSON', () => {
    const { calls } = inspect(call(1, 1, ['a']))
    expect(calls[0]?.chunks.map(({ type }) => type)).toEqual([
      'block-start',
      'text-delta',
      'block-end',
      'usage',
      'finish',
    ])
    expect(JSON.parse(JSON.stringify(calls[0]))).not.toHaveProperty('chunks')
  })

  it('leaves out what a fork has inherited', () => {
    const { calls } = inspect([...call(1, 1, ['a']), ...call(2, 1, ['b'])], { seedLength: 5 })
    expect(calls.map(({ text }) => text)).toEqual(['b'])
  })

  it('tells of a compaction that is marked as a model call', () => {
    const rawOutput = [{ type: 'text', text: 'In short.' }]
    const { calls } = inspect([
      ['compaction/summary', { summary: [], rawOutput, llmStreamCall: true, usage }],
      ...call(1, 1, []),
    ])
    expect(calls).toMatchObject([
      { kind: 'compaction', seq: 0, line: 2, text: 'In short.', usage },
      { kind: 'conversation', seq: 1 },
    ])
    expect(calls[0]).not.toHaveProperty('streamMs')
  })

  it('tells how long streams took as far as packed rows say', () => {
    const { calls } = inspect([
      chunk(1, 1, { type: 'block-start', index: 0, blockType: 'text' }),
      packed(1, 1, [5, 7], ['a', 'b', 'c']),
      chunk(1, 1, { type: 'finish', reason: { kind: 'max-tokens' } }),
      ...call(1, 2, ['d']),
    ])
    expect(calls.map(({ streamMs, text }) => [streamMs, text])).toEqual([
      [12, 'abc'],
      [undefined, 'd'],
    ])
  })

  it.each([[[hang]], [{ patches: [{ at: 1, entry: hang }] }]])(
    'lets a call lack its finish where the override replaces it (%j)',
    doc => {
      const { calls, problems } = inspect([...call(1, 1, ['a']), ...cutCall(1, 2, 'par')], { doc })
      expect(problems).toEqual([])
      expect(calls[1]).toMatchObject({ overridden: true, unterminated: true, text: 'par' })
      expect(calls[0]?.overridden).toBe(Array.isArray(doc))
    },
  )

  it('has a problem with every other call that lacks its finish, and shows it', () => {
    const { calls, problems } = inspect(
      [...cutCall(1, 1, 'one'), ...cutCall(1, 2, 'two'), ...call(1, 3, ['three']), ...cutCall(1, 4, 'four')],
      { doc: { patches: [{ at: 1, entry: hang }] } },
    )
    expect(calls.map(({ text }) => text)).toEqual(['one', 'two', 'three', 'four'])
    expect(problems.map(({ file, line }) => [file, line])).toEqual([
      ['session.jsonl', 2],
      ['session.jsonl', 11],
    ])
    expect(problems[0]?.message).toMatch(
      /^model call 0 \(turn 1, step 1\), which begins at event 0, has no finish.* Say in replay\.override\.json what/,
    )
  })

  it('names the override of the primary session where a log has a name of its own', () => {
    const problems = new Problems()
    const log = { ...logOf(cutCall(1, 1, 'a')), file: 'log' }
    inspectCalls({ name: 'log', file: 'log', log, partial: false }, problems)
    expect(problems.list[0]?.message).toContain('Say in replay.override.json what')
  })

  it('takes the end of a log that could not be read whole for no flaw', () => {
    const { calls, problems } = inspect([...cutCall(1, 1, 'one'), ...cutCall(1, 2, 'two')], {
      partial: true,
      doc: { patches: [{ at: 9, entry: hang }] },
    })
    expect(calls.map(({ unterminated }) => unterminated)).toEqual([true, true])
    expect(problems.map(({ line }) => line)).toEqual([2])
  })

  it('gives the calls before a flaw', () => {
    const doc = { patches: [{ at: 5, entry: hang }] }
    const rows = [...call(1, 1, ['a']), ...cutCall(1, 2, 'b'), chunk(1, 2, { type: 'riddle' })]
    const { calls, problems } = inspect(rows, { doc })
    expect(calls.map(({ text }) => text)).toEqual(['a', 'b'])
    expect(problems.map(({ line }) => line)).toEqual([9])
    expect(problems[0]?.message).toContain('riddle')
  })

  it('gives none where a fork has less than it says', () => {
    const { calls, problems } = inspect(call(1, 1, ['a']), { seedLength: 99 })
    expect(calls).toEqual([])
    expect(problems).toMatchObject([{ file: 'session.jsonl' }])
    expect(problems[0]?.message).toContain('seedLength is 99')
  })

  it('has a problem with a patch beyond the last call', () => {
    const { problems } = inspect(call(1, 1, ['a']), { doc: { patches: [{ at: 3, entry: hang }] } })
    expect(problems).toMatchObject([{ file: 'a/replay.override.json' }])
    expect(problems[0]?.message).toContain('found 3; allowed: 0 to 1')
  })
})
