import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readFrames, agentStdout } from '../../src/transcript/frames.ts'
import {
  explainSessionLog,
  explainStdout,
  normalizationRules,
  normalizeSessionLog,
  normalizeStdout,
  type NormalizationChange,
  type NormalizeContext,
} from '../../src/transcript/index.ts'
import { equalValues, listChanges } from '../../src/transcript/value-difference.ts'
import { contexts, frames, logs, stdoutOf, ticketRule } from './generated.ts'
import { primaryId, sessionLog } from './logs.ts'

const context: NormalizeContext = {
  cwds: ['/w', '/tmp/a b'],
  sessionIds: ['s-1'],
  spillRoots: ['/spill'],
  homes: ['/h/home'],
}

/** What changed a text of an event, by the rule's name. */
function explainText(text: string, given: NormalizeContext = context): NormalizationChange[] {
  const log = { ...sessionLog([['a', { text }]]), header: normalHeader }
  return explainSessionLog(log, given).filter(({ rule }) => rule !== 'time')
}

const normalHeader = normalizeSessionLog(sessionLog([], {}), context).header

const textExamples = [
  ['cwd', 'in /w/a', 'in {{cwd}}/a'],
  ['cwd', 'file:///tmp/a%20b', 'file://{{cwd}}'],
  ['spill', '/spill/session-0123456789ab/ba9876543210-read.txt', '{{spillLocator:read.txt}}'],
  [
    'subprocess-output',
    '/t/dsh-subprocess-a/dsh-subprocess-1-2-0a1b2c3d4e5f-stdout.log',
    '{{spillLocator:stdout.log}}',
  ],
  ['own-folders', 'HOME=/h/home', 'HOME={{home}}'],
  ['session-id', primaryId, '{{sessionId}}'],
  ['job-id', 'background job bash-7', 'background job bash-1'],
] as const

const eventExamples = [
  [
    'request-header',
    'request/header',
    { header: { system: 'You' } },
    'data.header.system',
    'You',
    '{{system}}',
  ],
  ['hook-duration', 'hook/result', { durationMs: 7 }, 'data.durationMs', 7, 0],
  ['hook-handler-id', 'hook/invoked', { handlerId: 'x:7' }, 'data.handlerId', 'x:7', 'x:1'],
] as const

describe('an explanation names', () => {
  it.each(textExamples)('the rule %s, which changes a text', (rule, before, after) => {
    expect(explainText(before)).toEqual([
      { rule, surface: 'scenarios/one/session.jsonl', index: 0, path: 'data.text', before, after },
    ])
    expect(explainStdout(JSON.stringify({ params: [before] }), context)).toEqual([
      { rule, surface: 'stdout', index: 0, path: 'params[0]', before, after },
    ])
  })

  it.each(eventExamples)('the rule %s, which changes an event', (rule, type, data, path, before, after) => {
    const events = [{ type, seq: 0, time: 0, data }]
    expect(explainSessionLog({ ...sessionLog(), header: normalHeader, events }, context)).toEqual([
      { rule, surface: 'scenarios/one/session.jsonl', index: 0, path, before, after },
    ])
  })

  it('the rule time', () => {
    const events = [{ type: 'a', seq: 4, time: 9, data: {} }]
    expect(explainSessionLog({ ...sessionLog(), header: normalHeader, events }, context)).toEqual([
      { rule: 'time', surface: 'scenarios/one/session.jsonl', index: 4, path: 'time', before: 9, after: 0 },
    ])
  })

  it('the rule header-identity, and those about texts of a header', () => {
    const log = sessionLog([], { id: 'x', parentSession: 'y', cwd: '/w/a', agentPreset: 's-1', createdAt: 3 })
    const at = { surface: log.file, index: -1 }
    expect(explainSessionLog(log, context)).toEqual([
      { ...at, rule: 'header-identity', path: 'id', before: 'x', after: '{{sessionId}}' },
      { ...at, rule: 'header-identity', path: 'createdAt', before: 3, after: 0 },
      { ...at, rule: 'header-identity', path: 'parentSession', before: 'y', after: '{{sessionId}}' },
      { ...at, rule: 'cwd', path: 'cwd', before: '/w/a', after: '{{cwd}}/a' },
      { ...at, rule: 'session-id', path: 'agentPreset', before: 's-1', after: '{{sessionId}}' },
    ])
  })

  it('the rule frame-id', () => {
    expect(explainStdout('{"id":1}\n\n{"id":7}\n', context)).toEqual([
      { rule: 'frame-id', surface: 'stdout', index: 1, path: 'id', before: 7, after: 2 },
    ])
  })

  it('a rule of the context by its own name', () => {
    const own = { ...context, rules: [ticketRule] }
    expect(explainText('T-7', own).map(({ rule, after }) => [rule, after])).toEqual([
      ['ticket', '{{ticket}}'],
    ])
    expect(explainStdout('{"method":"acme/tick","params":{"n":1}}', own)).toMatchObject([
      { rule: 'ticket', path: 'params.n', before: 1, after: undefined },
    ])
    expect(explainSessionLog(sessionLog([], { delegationDepth: 2 }), own)).toContainEqual(
      expect.objectContaining({ rule: 'ticket', index: -1, path: 'delegationDepth', before: 2, after: 0 }),
    )
  })

  it('every rule that is registered in one of the examples above', () => {
    const shown = [...textExamples, ...eventExamples].map(([rule]) => rule)
    const registered = normalizationRules.map(({ name }) => name)
    expect(new Set([...shown, 'time', 'header-identity', 'frame-id'])).toEqual(new Set(registered))
  })
})

it('shows each rule what those before it have left', () => {
  const path = `/w/.spill/session-0123456789ab/ba9876543210-${primaryId}.txt`
  expect(explainText(path).map(({ rule, before, after }) => [rule, before, after])).toEqual([
    ['cwd', path, path.replace('/w', '{{cwd}}')],
    ['spill', path.replace('/w', '{{cwd}}'), `{{spillLocator:${primaryId}.txt}}`],
    ['session-id', `{{spillLocator:${primaryId}.txt}}`, '{{spillLocator:{{sessionId}}.txt}}'],
  ])
})

it('refuses output that is not made of frames, or that nobody can follow', () => {
  const deep = `{"id":1}\n{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}\n`
  for (const raw of ['{}\nnope', deep]) {
    expect(() => explainStdout(raw, context)).toThrow(
      expect.objectContaining({
        code: 'STDOUT_INVALID',
        message: expect.stringMatching(/^stdout line 2 is not a frame/) as string,
      }),
    )
  }
})

describe('an explanation', () => {
  it('of a log comes to what normalisation makes of it', () => {
    fc.assert(
      fc.property(logs, contexts, (log, given) => {
        const normal = normalizeSessionLog(log, given)
        const changes = explainSessionLog(log, given)
        expect(outcome(changes, -1)).toEqual(changesBetween(log.header, normal.header))
        for (const [seq, event] of log.events.entries()) {
          expect(outcome(changes, seq)).toEqual(changesBetween(event, normal.events[seq]))
        }
      }),
      { numRuns: 500 },
    )
  })

  it('of standard output comes to what normalisation makes of it', () => {
    fc.assert(
      fc.property(frames, contexts, (list, given) => {
        const changes = explainStdout(stdoutOf(list), given)
        const normal = Array.from(
          readFrames(normalizeStdout(stdoutOf(list), given), agentStdout),
          ({ value }) => value,
        )
        for (const [index, frame] of list.entries()) {
          expect(outcome(changes, index)).toEqual(changesBetween(frame, normal[index]))
        }
      }),
      { numRuns: 500 },
    )
  })

  it('of what is normal already is empty', () => {
    fc.assert(
      fc.property(logs, frames, contexts, (log, list, { jobIds: _, ...given }) => {
        expect(explainSessionLog(normalizeSessionLog(log, given), given)).toEqual([])
        expect(explainStdout(normalizeStdout(stdoutOf(list), given), given)).toEqual([])
      }),
      { numRuns: 500 },
    )
  })
})

/** What the changes of one place come to: by path, what stood there first and what stands there last. */
function outcome(changes: readonly NormalizationChange[], index: number): Map<string, unknown> {
  const places = Map.groupBy(
    changes.filter(change => change.index === index),
    ({ path }) => path,
  )
  return new Map(
    [...places].flatMap(([path, steps]) => {
      const [before, after] = [steps[0]?.before, steps.at(-1)?.after]
      return equalValues(before, after) ? [] : [[path, [before, after]]]
    }),
  )
}

function changesBetween(before: unknown, after: unknown): Map<string, unknown> {
  return new Map(
    listChanges(before, after, Infinity).map(({ path, expected, actual }) => [path, [expected, actual]]),
  )
}
