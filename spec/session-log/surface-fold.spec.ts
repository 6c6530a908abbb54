import { createAssistantMessage, createToolResultMessage, createUserMessage } from '@deepseek-ai/dsh-llm'
import { Session, SessionId } from '@deepseek-ai/dsh-session'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SurfaceFold, type SurfaceView } from '../../src/session-log/surface-fold.ts'
import type { JsonValue, SessionEvent } from '../../src/session-log/types.ts'
import { logOf, refusal } from './logs.ts'

const text = (text: string) => ({ type: 'text' as const, text })

/** What may happen to a session next; numbers choose among what is there. */
type Act =
  | { readonly does: 'user' | 'assistant' | 'nothing said' | 'tool' | 'chunk' }
  | {
      readonly does: 'replace'
      readonly from: number
      readonly to: number
      readonly by: 'user' | 'assistant'
    }
  | { readonly does: 'rewrite'; readonly from: number }

const acts: fc.Arbitrary<Act[]> = fc.array(
  fc.oneof(
    fc.record({
      does: fc.constantFrom<('user' | 'assistant' | 'nothing said' | 'tool' | 'chunk')[]>(
        'user',
        'assistant',
        'nothing said',
        'tool',
        'chunk',
      ),
    }),
    fc.record({
      does: fc.constant('replace' as const),
      from: fc.nat(),
      to: fc.nat(),
      by: fc.constantFrom<('user' | 'assistant')[]>('user', 'assistant'),
    }),
    fc.record({ does: fc.constant('rewrite' as const), from: fc.nat() }),
  ),
  { maxLength: 40 },
)

const place = { turn: 1, step: 1 }
const model = { provider: 'acme', model: 'm-1' }
const append = { surfaceOp: 'append' } as const

/** Does it to a session of the harness itself, which says what is legal. */
function act(session: Session, next: Act): void {
  const word = `word ${session.seq}`
  const user = () => createUserMessage({ content: [text(word)], source: { kind: 'user' } })
  const assistant = (content = [text(word)]) => ({
    ...place,
    message: createAssistantMessage({ content, source: model }),
  })
  const nodes = session.surface.nodes
  switch (next.does) {
    case 'user':
      session.append('user/message', user(), append)
      return
    case 'assistant':
      session.append('assistant/message', assistant(), append)
      return
    case 'nothing said':
      session.append('assistant/message', assistant([]), append)
      return
    case 'tool': {
      const { seq } = session.append('tool/call', {
        ...place,
        callId: word as never,
        name: 'read',
        arguments: '{}',
      })
      const message = createToolResultMessage({
        callId: word as never,
        content: [text(word)],
        isError: false,
      })
      session.append('tool/result', { ...place, message }, { ...append, sourceEventSeqs: [seq] })
      return
    }
    case 'chunk':
      session.append('assistant/chunk', { ...place, chunk: { type: 'text-delta', index: 0, text: word } })
      return
    case 'replace': {
      if (nodes.length === 0) return
      const [a, b] = [next.from % nodes.length, next.to % nodes.length]
      const range = nodes.slice(Math.min(a, b), Math.max(a, b) + 1)
      const [start = 0] = range
      const end = range.at(-1) ?? 0
      const at = { surfaceOp: { op: 'replace', start, end }, sourceEventSeqs: range } as const
      if (next.by === 'user') session.append('user/message', user(), at)
      else session.append('assistant/message', assistant(), at)
      return
    }
    case 'rewrite': {
      const results = nodes.filter(seq => session.events[seq]?.type === 'tool/result')
      const seq = results[next.from % results.length]
      const event = seq === undefined ? undefined : session.events[seq]
      if (seq === undefined || event?.type !== 'tool/result') return
      const [block] = event.data.message.content
      const message = { ...event.data.message, content: [{ ...block, content: [text(word)] }] }
      session.append(
        'tool/result',
        { ...event.data, message: message as unknown as typeof event.data.message },
        { surfaceOp: { op: 'replace', start: seq, end: seq }, sourceEventSeqs: [seq] },
      )
    }
  }
}

const eventAt = (session: Session, seq: number): SessionEvent =>
  session.events[seq] as unknown as SessionEvent
const messagesOf = (view: SurfaceView): JsonValue[] => view.messages().map(({ message }) => message)

describe('SurfaceFold', () => {
  it("gives what the harness's own session derives, and its views stay as they are when the log goes on", () => {
    fc.assert(
      fc.property(acts, list => {
        const session = Session.create(SessionId('s'))
        const fold = new SurfaceFold(logOf([]))
        const then: { view: SurfaceView; derived: unknown }[] = []
        let applied = 0
        for (const next of list) {
          act(session, next)
          for (; applied < session.seq; applied += 1) fold.apply(eventAt(session, applied))
          then.push({ view: fold.view(), derived: session.deriveMessages() })
        }
        for (const { view, derived } of then) expect(messagesOf(view)).toEqual(derived)
      }),
      { numRuns: 500 },
    )
  })

  it('takes a replacement where the harness does, and no other', () => {
    const seqs = fc.integer({ min: 0, max: 14 })
    fc.assert(
      fc.property(acts, fc.array(fc.tuple(seqs, seqs), { maxLength: 5 }), (list, ranges) => {
        const session = Session.create(SessionId('s'))
        for (const next of list.slice(0, 12)) act(session, next)
        const fold = new SurfaceFold(logOf([]))
        for (const event of session.events) fold.apply(event as unknown as SessionEvent)
        for (const [start, end] of ranges) {
          const message = createUserMessage({ content: [text('short')], source: { kind: 'user' } })
          const surfaceOp = { op: 'replace', start, end } as const
          const event = { type: 'user/message', seq: session.seq, time: 0, data: message, surfaceOp }
          const earlier = Array.from({ length: session.seq }, (_, seq) => seq)
          let taken = true
          try {
            session.append('user/message', message, { surfaceOp, sourceEventSeqs: earlier })
          } catch {
            taken = false
          }
          const apply = (): void => fold.apply(event)
          if (taken) apply()
          else expect(apply).toThrow('replaces what the events')
          expect(messagesOf(fold.view())).toEqual(session.deriveMessages())
        }
      }),
      { numRuns: 500 },
    )
  })

  const said = (seq: number, surfaceOp: JsonValue): SessionEvent => ({
    type: 'user/message',
    seq,
    time: 0,
    data: { role: 'user', content: [{ type: 'text', text: `${seq}` }] },
    surfaceOp,
  })
  const replace = (start: number, end: number): JsonValue => ({ op: 'replace', start, end })

  it('says which event put each message there, and keeps their order where one takes the place of others', () => {
    const fold = new SurfaceFold(logOf([]))
    for (let seq = 0; seq < 5; seq += 1) fold.apply(said(seq, 'append'))
    const seqs = (): number[] =>
      fold
        .view()
        .messages()
        .map(({ seq }) => seq)
    fold.apply(said(5, replace(1, 2)))
    expect(seqs()).toEqual([0, 5, 3, 4])
    // A replacement of a replacement, and of what stands behind it.
    fold.apply(said(6, replace(5, 3)))
    expect(seqs()).toEqual([0, 6, 4])
    fold.apply(said(7, 'append'))
    fold.apply(said(8, replace(0, 7)))
    expect(seqs()).toEqual([8])
  })

  it.each([
    ['an end that is gone', 0, 2],
    ['a start that is gone', 1, 4],
    ['what was never there', 9, 9],
    ['an event that is no message', 6, 6],
    ['a range whose end comes first', 4, 3],
  ])('refuses to replace %s', (_what, start, end) => {
    const fold = new SurfaceFold(logOf([]))
    for (let seq = 0; seq < 5; seq += 1) fold.apply(said(seq, 'append'))
    fold.apply(said(5, replace(1, 2)))
    fold.apply({ type: 'turn/start', seq: 6, time: 0, data: {} })
    expect(refusal(() => fold.apply(said(7, replace(start, end))))).toBe(
      `session.jsonl: event 7: the event replaces what the events ${start} to ${end} put before the model, but these are ` +
        'no range of what it sees there. Restore the whole log, or record it again.',
    )
    expect(fold.view().messages()).toHaveLength(4)
  })

  it('names the line of a replacement where the log was read from a text', () => {
    const fold = new SurfaceFold({ ...logOf([]), lines: [2, 5] })
    expect(refusal(() => fold.apply(said(1, replace(0, 0))))).toContain('session.jsonl:5: the event replaces')
  })

  it('leaves only an empty message of the model out, and takes what is no message as it is', () => {
    const rows: readonly (readonly [type: string, data: SessionEvent['data']])[] = [
      ['user/message', { role: 'user', content: [] }],
      ['assistant/message', { message: { role: 'assistant', content: [] } }],
      ['assistant/message', { message: { role: 'assistant', content: 'text' } }],
      ['assistant/message', { message: { role: 'assistant' } }],
      ['assistant/message', { message: 'text' }],
      ['tool/result', {}],
    ]
    const fold = new SurfaceFold(logOf([]))
    for (const [seq, [type, data]] of rows.entries())
      fold.apply({ type, seq, time: 0, data, surfaceOp: 'append' })
    expect(messagesOf(fold.view())).toEqual([
      { role: 'user', content: [] },
      { role: 'assistant', content: 'text' },
      { role: 'assistant' },
      'text',
      null,
    ])
  })

  it('takes a place whose message is in no request for the edge of a range', () => {
    const fold = new SurfaceFold(logOf([]))
    fold.apply({
      type: 'assistant/message',
      seq: 0,
      time: 0,
      data: { message: { role: 'assistant', content: [] } },
      surfaceOp: 'append',
    })
    fold.apply(said(1, 'append'))
    fold.apply(said(2, replace(0, 1)))
    expect(
      fold
        .view()
        .messages()
        .map(({ seq }) => seq),
    ).toEqual([2])
  })
})
