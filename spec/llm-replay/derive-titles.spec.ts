import { describe, expect, it } from 'vitest'
import { deriveTitleCalls } from '../../src/llm-replay/derive-titles.ts'
import type { JsonObject, SessionHeader } from '../../src/session-log/types.ts'
import { said } from './conversation.ts'
import { logOf, type Row } from './logs.ts'

const asked = (messageSeqs: number[], text = 'Name it.'): Row => [
  'session/title-llm-request',
  { messageSeqs, messages: [said(text, 'plugin')] },
]
const titled = (title: string, messageSeqs: number[], kind = 'provider'): Row => [
  'session/title',
  { title, messageSeqs, source: { kind } },
]

/** The answer to each call: its text, or the code of its failure. */
function answersTo(rows: readonly Row[], header: Partial<SessionHeader> = {}): string[] {
  return deriveTitleCalls(logOf(rows, header)).map(({ entry }) => {
    if (entry.kind === 'throw') return entry.code
    const deltas = (entry.chunks ?? []).filter(chunk => chunk.type === 'text-delta')
    return deltas.map(({ text }) => text).join('')
  })
}

describe('deriveTitleCalls', () => {
  it('finds none where there are none', () => {
    expect(deriveTitleCalls(logOf([]))).toEqual([])
    expect(deriveTitleCalls(logOf([titled('Harbour', [0])]))).toEqual([])
  })

  it('answers a request with the title that was made of it, as a whole stream', () => {
    const rows = [
      ['turn/start', {}] satisfies Row,
      asked([0]),
      ['turn/end', {}] satisfies Row,
      titled('Harbour', [0]),
    ]
    expect(deriveTitleCalls(logOf(rows))).toEqual([
      {
        seq: 1,
        messages: [said('Name it.', 'plugin')],
        entry: {
          kind: 'chunks',
          chunks: [
            { type: 'block-start', index: 0, blockType: 'text' },
            { type: 'text-delta', index: 0, text: 'Harbour' },
            { type: 'block-end', index: 0, block: { type: 'text', text: 'Harbour' } },
            { type: 'finish', reason: { kind: 'stop' } },
          ],
        },
      },
    ])
  })

  it('gives each of several requests its own title', () => {
    const rows = [asked([0]), titled('One', [0]), asked([0, 9]), titled('Two', [0, 9])]
    expect(answersTo(rows)).toEqual(['One', 'Two'])
  })

  it.each([
    ['a fallback', [titled('Fallback', [0], 'fallback')]],
    ["a user's own", [titled('Mine', [0], 'user')]],
    ['one made of other messages', [titled('Other', [0, 3])]],
    ['one made of other messages, of as many', [titled('Other', [1])]],
    ['one that says no source', [['session/title', { title: 'x', messageSeqs: [0] }]]],
    [
      'one whose source is no object',
      [['session/title', { title: 'x', messageSeqs: [0], source: 'provider' }]],
    ],
    ['one whose source is null', [['session/title', { title: 'x', messageSeqs: [0], source: null }]]],
    ['one whose source has no kind', [['session/title', { title: 'x', messageSeqs: [0], source: {} }]]],
    [
      'one that is no text',
      [['session/title', { title: 7, messageSeqs: [0], source: { kind: 'provider' } }]],
    ],
    ['none', []],
  ] satisfies [string, Row[]][])('lets a request fail that is followed by %s', (_what, rest) => {
    expect(answersTo([asked([0]), ...rest])).toEqual(['NO_TITLE_RECORDED'])
  })

  it('passes over titles that are of something else', () => {
    const rows = [
      asked([0]),
      titled('Fallback', [0], 'fallback'),
      titled('Other', [4]),
      titled('Harbour', [0]),
    ]
    expect(answersTo(rows)).toEqual(['Harbour'])
  })

  it('lets a request fail that a later one has overtaken', () => {
    expect(answersTo([asked([0]), asked([0]), titled('Second', [0])])).toEqual([
      'NO_TITLE_RECORDED',
      'Second',
    ])
  })

  it('has none of those that a fork inherited', () => {
    const seed = [asked([0]), titled('Parent', [0])]
    const rows = [...seed, ...[asked([0, 5]), titled('Child', [0, 5])]]
    expect(answersTo(rows, { seedLength: seed.length })).toEqual(['Child'])
    expect(deriveTitleCalls(logOf(rows, { seedLength: 2 }))[0]?.seq).toBe(2)
  })

  it('knows no messages where the log has none', () => {
    const data: JsonObject = { messageSeqs: [0] }
    expect(deriveTitleCalls(logOf([['session/title-llm-request', data]]))[0]?.messages).toEqual([])
  })
})
