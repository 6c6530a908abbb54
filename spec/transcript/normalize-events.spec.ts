import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseSessionLog, serializeSessionLog, type SessionEvent } from '../../src/session-log/index.ts'
import { runsOf } from '../../src/session-log/runs.ts'
import { normalizeSessionLog, type NormalizeContext } from '../../src/transcript/index.ts'
import { logOf } from '../session-log/logs.ts'
import { logByRules } from './apply-rules.ts'

const uuid = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'
const context: NormalizeContext = { cwds: ['/w'], sessionIds: ['s-1', 'reasoning-delta'], homes: ['/h'] }

/** A text, a tool's name or a call's id, with something to replace in it now and then. */
const word = fc.constantFrom(
  '',
  ' the',
  'reading',
  'call_1',
  '/w',
  'in /w/a.txt',
  's-1',
  `of ${uuid}`,
  '/h/x',
  'bash',
)

const run = fc
  .record({
    type: fc.constantFrom('text-delta', 'reasoning-delta', 'tool-call-delta'),
    id: word,
    name: fc.option(word, { nil: undefined }),
    texts: fc.array(word, { minLength: 1, maxLength: 6 }),
    gap: fc.constantFrom(0, 3),
  })
  .map(({ type, id, name, texts, gap }) =>
    texts.map((text, k) => {
      const call = { type, index: 0, id, ...(name === undefined ? {} : { name }), argumentsDelta: text }
      const chunk = type === 'tool-call-delta' ? call : { type, index: 0, text }
      return { type: 'assistant/chunk', seq: 0, time: k * gap, data: { turn: 1, step: 1, chunk } }
    }),
  )

const other = fc
  .record({ type: fc.constantFrom('turn/start', 'acme/x'), text: word })
  .map(({ type, text }) => [{ type, seq: 0, time: 0, data: { text } }])

const logs = fc
  .array(fc.oneof({ weight: 3, arbitrary: run }, { weight: 1, arbitrary: other }), { maxLength: 6 })
  .map(parts => parts.flat().map((event, seq): SessionEvent => ({ ...event, seq })))

describe('the events of a log of packed rows', () => {
  it('are normalised as those of one of which nothing is known but its events', () => {
    let runs = 0
    fc.assert(
      fc.property(logs, events => {
        const log = parseSessionLog(serializeSessionLog(logOf(events)), 'session.jsonl')
        runs += runsOf(log.events).length
        const plain = { ...log, events: [...log.events] }
        expect(normalizeSessionLog(log, context)).toStrictEqual(normalizeSessionLog(plain, context))
      }),
      { numRuns: 1000 },
    )
    expect(runs).toBeGreaterThan(500)
  })

  it('name a job by its number as soon as one of them has announced it', () => {
    const announcing = ['{"say":"background job call-7"', ',"of":', '"x"}'].map((argumentsDelta, seq) => ({
      type: 'assistant/chunk',
      seq,
      time: 0,
      data: { turn: 1, step: 1, chunk: { type: 'tool-call-delta', index: 0, id: 'call-7', argumentsDelta } },
    }))
    const log = parseSessionLog(serializeSessionLog(logOf(announcing)), 'session.jsonl')
    expect(runsOf(log.events)).toHaveLength(1)
    expect(normalizeSessionLog(log, context)).toEqual(logByRules(log, context))
  })

  it('stay the same objects where there is nothing to do', () => {
    const events = ['a', 'b', 'c'].map((text, seq) => ({
      type: 'assistant/chunk',
      seq,
      time: 0,
      data: { turn: 1, step: 1, chunk: { type: 'text-delta', index: 0, text } },
    }))
    const log = parseSessionLog(serializeSessionLog(logOf(events)), 'session.jsonl')
    const normalized = normalizeSessionLog(log, context)
    for (const [seq, event] of log.events.entries()) expect(normalized.events[seq]).toBe(event)
  })
})
