import { describe, expect, it } from 'vitest'
import { compareIdentities } from '../../src/transcript/compare-identities.ts'
import { fixtureContext } from '../../src/transcript/fixture-context.ts'
import { fixtureLogs } from '../../src/transcript/fixture-logs.ts'
import { normalizeSessionLog } from '../../src/transcript/normalize-session-log.ts'
import { sessionLog } from './logs.ts'

const [parent, child, message, other] = [
  '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  '5b1d7c1e-8a52-4b0f-9d3c-7f6a1e2b9c4d',
  'a862a58b-4c72-4561-87e0-3b6478e641e8',
  'fe8c89f3-e7d8-421c-9598-3fd97827a8a6',
]
const numbered = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

const logs = [
  sessionLog(
    [
      ['user/message', { id: message, text: `In /w/a of ${parent} and ${other}` }],
      ['request/header', { header: { system: 'Be brief.', tools: [] } }],
      ['hook/result', { durationMs: 3 }],
    ],
    { id: parent, cwd: '/w', createdAt: 5 },
  ),
  sessionLog([['user/message', { id: message }]], {
    id: child,
    cwd: '/w',
    parentSession: parent,
    createdAt: 6,
  }),
]
const context = { cwds: ['/w'], sessionIds: [parent, child] }

describe('fixtureLogs', () => {
  it('keeps which ids go together through all logs, under numbers', () => {
    const [first, second] = fixtureLogs(logs, context)
    expect(first?.header).toMatchObject({ id: numbered(1), cwd: '{{cwd}}', createdAt: 0 })
    expect(first?.events[0]?.data).toEqual({
      id: numbered(2),
      // An id that stands nowhere alone may be anything, such as a word of the user's.
      text: `In {{cwd}}/a of ${numbered(1)} and ${other}`,
    })
    expect(second?.header).toMatchObject({ id: numbered(3), parentSession: numbered(1) })
    expect(second?.events[0]?.data).toEqual({ id: numbered(2) })
  })

  it('puts tokens for what the pins hold, and leaves out times', () => {
    const [first] = fixtureLogs(logs, context)
    expect(first?.events[1]?.data).toEqual({ header: { system: '{{system}}', tools: '{{tools}}' } })
    expect(first?.events.map(({ time }) => time)).toEqual([0, 0, 0])
    expect(JSON.parse(first?.headerLine ?? '')).toEqual(first?.header)
  })

  it('leaves alone what a model has streamed', () => {
    const chunk = { type: 'text-delta', index: 0, text: `It is ${message}.` }
    const streamed = sessionLog(
      [
        ['user/message', { id: message }],
        ['assistant/chunk', { turn: 1, step: 1, chunk }],
      ],
      { id: 's-1' },
    )
    const [log] = fixtureLogs([streamed], { cwds: [], sessionIds: ['s-1'] })
    expect(log?.header).toMatchObject({ id: numbered(1) })
    expect(log?.events.map(({ data }) => data)).toEqual([{ id: message }, { turn: 1, step: 1, chunk }])
  })

  it('gives logs that the run equals, and a second time the same', () => {
    const fixtures = fixtureLogs(logs, context)
    const pairs = logs.map((raw, at) => {
      const fixture = fixtures[at] ?? raw
      expect(normalizeSessionLog(fixture, fixtureContext(fixture))).toEqual(normalizeSessionLog(raw, context))
      return {
        name: `log ${at}`,
        expected: { raw: fixture, context: fixtureContext(fixture) },
        actual: { raw, context },
        equal: raw.events.length,
      }
    })
    expect(compareIdentities({ logs: pairs })).toEqual([])
    expect(fixtureLogs(fixtures, { cwds: [], sessionIds: fixtures.map(({ header }) => header.id) })).toEqual(
      fixtures,
    )
  })
})
