import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject, SessionEvent } from '../../src/session-log/types.ts'
import { fixtureContext } from '../../src/transcript/fixture-context.ts'
import { normalizeSessionLog } from '../../src/transcript/normalize-session-log.ts'
import { primaryId, sessionLog } from './logs.ts'

const context = { cwds: ['/tmp/run'], sessionIds: [primaryId] }

function dataOf(type: string, data: JsonObject): JsonObject | undefined {
  return normalizeSessionLog(sessionLog([[type, data]]), context).events[0]?.data
}

describe('the header', () => {
  it('keeps its fields and their order, with tokens and zeros', () => {
    const log = sessionLog([], {
      id: 'main',
      cwd: '/tmp/run/sub',
      parentSession: 'parent',
      seedLength: 4,
      origin: 'subagent',
      delegationDepth: 1,
      agentPreset: 'for /tmp/run',
    })
    const normal = normalizeSessionLog(log, context)
    expect(normal.file).toBe(log.file)
    expect(normal.headerLine).toBe(
      '{"type":"session","version":0,"id":"{{sessionId}}","createdAt":0,"delegationDepth":1,"cwd":"{{cwd}}/sub",' +
        '"parentSession":"{{sessionId}}","seedLength":4,"origin":"subagent","agentPreset":"for {{cwd}}"}',
    )
    expect(JSON.parse(normal.headerLine)).toEqual(normal.header)
  })

  it('gets no fields that it did not have', () => {
    const { header } = normalizeSessionLog(sessionLog([], {}), context)
    expect(Object.keys(header)).toEqual(['type', 'version', 'id', 'createdAt', 'delegationDepth'])
  })
})

describe('an event', () => {
  it('loses its time and keeps everything else', () => {
    const event: SessionEvent = {
      type: 'tool/result',
      seq: 0,
      time: 5,
      data: { text: `in /tmp/run of ${primaryId}`, time: 7, durationMs: 9 },
      sourceEventSeqs: [3, 4],
      surfaceOp: { op: 'replace', start: 1, end: 2 },
      ignorable: true,
    }
    expect(normalizeSessionLog({ ...sessionLog(), events: [event] }, context).events).toEqual([
      { ...event, time: 0, data: { text: 'in {{cwd}} of {{sessionId}}', time: 7, durationMs: 9 } },
    ])
  })

  it('of a hook has no duration', () => {
    expect(dataOf('hook/result', { turn: 1, durationMs: 12 })).toEqual({ turn: 1, durationMs: 0 })
    expect(dataOf('hook/result', { turn: 1 })).toEqual({ turn: 1 })
  })

  it('that is a request header has tokens for what it holds of prompt and tools', () => {
    const rest = { config: { provider: 'p', model: 'm', system: 'kept' }, adapterDefaults: { tools: 1 } }
    expect(
      dataOf('request/header', { header: { ...rest, system: 'You are', tools: [{}] }, reason: 'initial' }),
    ).toEqual({ header: { ...rest, system: '{{system}}', tools: '{{tools}}' }, reason: 'initial' })
    expect(dataOf('request/header', { header: rest, reason: 'change' })).toEqual({
      header: rest,
      reason: 'change',
    })
  })

  it.each([{ header: null }, { header: [1] }, { header: 'x' }, {}])(
    'that is a broken one, %j, stays',
    data => {
      expect(dataOf('request/header', data)).toEqual(data)
    },
  )

  it.each(['constructor', '__proto__'])('of the type %s is like any other', type => {
    expect(dataOf(type, { durationMs: 3 })).toEqual({ durationMs: 3 })
  })
})

describe('fixtureContext', () => {
  it('makes a recording equal to the same run elsewhere', () => {
    const at = (cwd: string, id: string, parentSession: string) => {
      const log = sessionLog([['user/message', { text: `${cwd}\\a ${id} ${parentSession}` }]], {
        cwd,
        id,
        parentSession,
      })
      return normalizeSessionLog(log, fixtureContext(log))
    }
    expect(at('/tmp/run', 'one', 'two')).toEqual(at('{{cwd}}', '{{sessionId}}', primaryId))
  })

  it('makes a recording under a folder of its author equal to a run elsewhere', () => {
    const at = (cwd: string) => {
      const texts = [
        `${cwd}/a`,
        `file://${cwd}/a`,
        `/private${cwd}/b\\c`,
        '/tmp/notes.txt',
        '/srv/suite/case-2',
      ]
      const log = sessionLog(
        texts.map(text => ['tool/result', { text }] as const),
        { cwd },
      )
      return normalizeSessionLog(log, fixtureContext(log))
    }
    const normal = at('/srv/suite/case')
    expect(normal).toEqual(at('/tmp/run'))
    expect(normal.header.cwd).toBe('{{cwd}}')
    expect(normal.events.map(({ data }) => data.text)).toEqual([
      ...['{{cwd}}/a', 'file://{{cwd}}/a', '{{cwd}}/b/c', '/tmp/notes.txt', '/srv/suite/case-2'],
    ])
  })

  it('does without a cwd and a parent', () => {
    expect(fixtureContext(sessionLog([], {}))).toEqual({ cwds: [], sessionIds: [primaryId] })
  })
})

it('changes nothing when applied again', () => {
  const text = fc.constantFrom('/tmp/run\\a', primaryId, 'x', '{{cwd}}', '{{system}}')
  const data = fc.dictionary(
    fc.constantFrom('header', 'durationMs', 'a'),
    fc.oneof(text, fc.dictionary(text, text)),
  )
  const event = fc.tuple(fc.constantFrom('hook/result', 'request/header', 'other'), data)
  fc.assert(
    fc.property(fc.array(event), events => {
      const once = normalizeSessionLog(sessionLog(events), context)
      expect(normalizeSessionLog(once, context)).toEqual(once)
    }),
  )
})

it('takes a hundred thousand events', () => {
  const log = sessionLog(
    Array.from({ length: 100_000 }, () => ['assistant/chunk', { text: 'in /tmp/run' }] as const),
  )
  const normal = normalizeSessionLog(log, context)
  expect(normal.events.at(-1)).toEqual({
    type: 'assistant/chunk',
    seq: 99_999,
    time: 0,
    data: { text: 'in {{cwd}}' },
  })
})
