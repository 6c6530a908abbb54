import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ReplayEntry } from '../../src/llm-replay/entry.ts'
import type { ReplayOverrideDoc } from '../../src/llm-replay/override.ts'
import { buildSessionScripts, type ScriptSource } from '../../src/llm-replay/script.ts'
import type { SessionHeader } from '../../src/session-log/types.ts'
import { answer, callRows, cut, logOf, type Row } from './logs.ts'
import { thrown } from '../support/thrown.ts'

const hang: ReplayEntry = { kind: 'hang' }

function source(name: string, header: Partial<SessionHeader> = {}, rows: readonly Row[] = []): ScriptSource {
  return { name, log: logOf(rows, header, name) }
}

const order = (sources: readonly ScriptSource[]): string[] =>
  buildSessionScripts(sources).map(({ name }) => name)

describe('buildSessionScripts', () => {
  it('says whose script it is', () => {
    const primary = source('session.jsonl', { id: 'p', createdAt: 5 }, callRows(1, 1, answer('x')))
    const [script, child] = buildSessionScripts([
      primary,
      source('session.1.jsonl', { id: 'c', parentSession: 'p' }),
    ])
    expect(script).toEqual({
      name: 'session.jsonl',
      number: 0,
      id: 'p',
      createdAt: 5,
      authored: false,
      authoredAt: new Set(),
      entries: [{ kind: 'chunks', chunks: answer('x') }],
      auxiliary: { 'session-title': [] },
      lineage: {},
      lineageIsCondition: false,
      overrideFile: 'replay.override.json',
      log: primary.log,
      places: [0],
    })
    expect(child).toMatchObject({ number: 1, parentSession: 'p', entries: [], lineage: { parent: 'p' } })
  })

  it('makes the lineage a condition where somebody wrote a log that tells of no request', () => {
    const rows: Row[] = [
      ['user/message', { content: [{ type: 'text', text: 'Name a sea.' }], source: { kind: 'user' } }],
    ]
    const conditions = (id: string, more: Row[], rest: object): (boolean | undefined)[] =>
      buildSessionScripts([{ ...source('session.jsonl', { id }, [...rows, ...more]), ...rest }]).map(
        script => script.lineageIsCondition,
      )
    expect(conditions('{{sessionId}}', [], {})).toEqual([true])
    expect(conditions('p', [], { authored: true })).toEqual([true])
    expect(conditions('p', [], {})).toEqual([false])
    expect(conditions('{{sessionId}}', callRows(1, 1, answer('x')), {})).toEqual([false])
  })

  it('says what tells a session from its siblings, with tokens', () => {
    const rows: Row[] = [
      ['subagent/descriptor', { label: 'in /run/cwd' }],
      [
        'user/message',
        { content: [{ text: 'Look at /run/cwd/a, c-1.' }], source: { kind: 'user' } },
        'append',
      ],
    ]
    const header = { id: 'c-1', parentSession: 'p-1', cwd: '/run/cwd' }
    expect(buildSessionScripts([source('session.jsonl', header, rows)])[0]?.lineage).toEqual({
      parent: 'p-1',
      label: 'in {{cwd}}',
      prompt: 'Look at {{cwd}}/a, {{sessionId}}.',
    })
  })

  it('has what answers the calls for a title apart from the conversation, also under an override', () => {
    const rows: Row[] = [
      ['session/title-llm-request', { messageSeqs: [0], messages: [] }],
      ['session/title', { title: 'Harbour', messageSeqs: [0], source: { kind: 'provider' } }],
    ]
    const log = source('session.jsonl', {}, rows)
    for (const override of [[hang], { patches: [{ at: 0, entry: hang }] }]) {
      const [script] = buildSessionScripts([{ ...log, override }])
      expect(script?.entries).toEqual([hang])
      expect(script?.auxiliary?.['session-title']).toMatchObject([{ kind: 'chunks', chunks: { length: 4 } }])
    }
  })

  it('says with which event the call of each entry begins, where the log has it', () => {
    const summary: Row = ['compaction/summary', { llmStreamCall: true, rawOutput: [] }]
    const rows = [
      ...callRows(1, 1, answer('x')),
      summary,
      ...callRows(2, 1, answer('y')),
      ...callRows(3, 1, cut),
    ]
    const log = source('session.jsonl', {}, rows)
    const places = (override: ReplayOverrideDoc): unknown =>
      buildSessionScripts([{ ...log, override }])[0]?.places
    expect(places({ patches: [{ at: 3, entry: hang }] })).toEqual([0, 5, 6, 11])
    expect(
      places({
        patches: [
          { at: 3, entry: hang },
          { at: 4, entry: hang },
        ],
      }),
    ).toEqual([0, 5, 6, 11, undefined])
    expect(places([hang, hang])).toEqual([undefined, undefined])
    const fork = source('session.jsonl', { seedLength: 6 }, rows.slice(0, 11))
    expect(buildSessionScripts([fork])[0]?.places).toEqual([6])
  })

  it('takes every entry for authored where somebody wrote the log', () => {
    const rows = callRows(1, 1, answer('x'))
    const authoredAt = (header: Partial<SessionHeader>, more: Partial<ScriptSource> = {}): unknown =>
      buildSessionScripts([{ ...source('session.jsonl', header, rows), ...more }])[0]?.authoredAt
    expect(authoredAt({ id: '{{sessionId}}' })).toEqual(new Set([0]))
    expect(authoredAt({ id: '00000000-0000-0000-0000-000000000000' })).toEqual(new Set([0]))
    expect(authoredAt({ id: '{{sessionId}}' }, { authored: false })).toEqual(new Set())
    expect(authoredAt({}, { authored: true })).toEqual(new Set([0]))
    const patches = { patches: [{ at: 1, entry: hang }] }
    expect(authoredAt({}, { override: patches })).toEqual(new Set([1]))
    expect(authoredAt({}, { override: patches, authored: true })).toEqual(new Set([0, 1]))
    expect(authoredAt({}, { override: [hang] })).toEqual(new Set([0]))
  })

  it('orders the primary first, then by createdAt, then by id, then by number, however the sources come', () => {
    const sources = [
      source('dir/session.jsonl', { id: 'z', createdAt: 9 }),
      source('dir/session.4.jsonl', { id: 'x', createdAt: 1 }),
      source('dir/session.3.jsonl', { id: 'a', createdAt: 2 }),
      source('dir\\session.1.jsonl', { id: 'b', createdAt: 2 }),
      source('dir/session.2.jsonl', { id: 'b', createdAt: 2 }),
      source('session.10.jsonl', { id: 'a', createdAt: 3 }),
    ]
    fc.assert(
      fc.property(fc.shuffledSubarray(sources, { minLength: sources.length }), shuffled => {
        expect(order(shuffled)).toEqual(sources.map(({ name }) => name))
      }),
    )
  })

  it.each([
    ['other names', ['b.jsonl', 'a.jsonl', 'session.1.jsonl']],
    ['no primary among the names', ['session.2.jsonl', 'session.1.jsonl']],
    ['the same name twice', ['x/session.jsonl', 'y/session.jsonl']],
    ['a number that no file of a scenario has', ['session.0.jsonl', 'session.jsonl']],
  ])('goes by the order of the sources: %s', (_, names) => {
    const scripts = buildSessionScripts(names.map(name => source(name)))
    expect(scripts.map(({ name, number }) => [name, number])).toEqual(
      names.map((name, index) => [name, index]),
    )
  })

  it('takes an override in place of a log whose call was cut off', () => {
    const log = source('session.jsonl', {}, callRows(1, 1, cut))
    const [script] = buildSessionScripts([{ ...log, override: [hang, hang] }])
    expect(script).toMatchObject({ authored: true, authoredAt: new Set([0, 1]), entries: [hang, hang] })
    expect(thrown(() => buildSessionScripts([log])).message).toContain('has no finish')
  })

  it('takes a patch in place of a call that was cut off, and marks its entry alone as authored', () => {
    const rows = [...callRows(1, 1, answer('x')), ...callRows(2, 1, cut)]
    const log = source('session.jsonl', {}, rows)
    const [script] = buildSessionScripts([{ ...log, override: { patches: [{ at: 1, entry: hang }] } }])
    expect(script).toMatchObject({
      authored: true,
      authoredAt: new Set([1]),
      entries: [{ kind: 'chunks', chunks: answer('x') }, hang],
    })
    expect(() => buildSessionScripts([{ ...log, override: { patches: [] } }])).toThrow('has no finish')
    expect(() => buildSessionScripts([{ ...log, override: { patches: [{ at: 0, entry: hang }] } }])).toThrow(
      'model call 1 (turn 2, step 1)',
    )
  })

  it('names the override in its errors', () => {
    const override = { patches: [{ at: 9, entry: hang }] }
    const sources = [source('session.jsonl'), { ...source('session.2.jsonl'), override }]
    expect(() => buildSessionScripts(sources)).toThrow('replay.override.2.json: at patches[0].at: found 9')
    const named = [{ ...source('session.jsonl'), override, overrideFile: 'my.json' }]
    expect(() => buildSessionScripts(named)).toThrow('my.json: at patches[0].at')
  })
})
