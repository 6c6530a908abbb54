import { describe, expect, it } from 'vitest'
import { SnapshotError } from '../../src/errors.ts'
import { ReplayEngine, type EngineOptions, type ModelCall } from '../../src/llm-replay/engine.ts'
import type { SessionLineage } from '../../src/llm-replay/lineage.ts'
import { buildSessionScripts, type SessionScript } from '../../src/llm-replay/script.ts'
import type { JsonValue } from '../../src/session-log/types.ts'
import { checkpointRow, replied, said, stepRows } from './conversation.ts'
import { answer, cut, logOf } from './logs.ts'
import { answers, chunksOf, script, textOf } from './scripts.ts'
import { thrown } from '../support/thrown.ts'

const never = (): Promise<never> => new Promise(() => undefined)

function engineOf(scripts: readonly SessionScript[], options: Partial<EngineOptions> = {}): ReplayEngine {
  const effects = { cwd: () => '/run/cwd', writeReadyFile: never, gate: never, sleep: never }
  return new ReplayEngine({ scripts, paceMs: 0, effects, ...options })
}

const request = (sessionId?: string, signal?: AbortSignal) => ({
  provider: 'acme',
  model: 'm-1',
  messages: [{ role: 'user' }],
  ...(sessionId === undefined ? {} : { sessionId }),
  ...(signal === undefined ? {} : { signal }),
})

describe('ReplayEngine', () => {
  it('answers call after call, each session from its own script', async () => {
    const engine = engineOf([answers('one', 'two'), script([{ kind: 'chunks', chunks: answer('child') }], 1)])
    expect(await textOf(engine.stream(request('a')))).toBe('one')
    expect(await textOf(engine.stream(request('b')))).toBe('child')
    expect(thrown(() => engine.assertConsumed()).message).toContain('session.jsonl: entry 1 of 2 unread')
    expect(await textOf(engine.stream(request('a')))).toBe('two')
    engine.assertConsumed()
    expect(engine.bindings().map(({ sessionId, script: { name } }) => [sessionId, name])).toEqual([
      ['a', 'session.jsonl'],
      ['b', 'session.1.jsonl'],
    ])
  })

  it('takes the entry when the stream is first read, not when it is asked for', async () => {
    const engine = engineOf([answers('one', 'two')])
    const [first, second] = [engine.stream(request()), engine.stream(request())]
    expect(await textOf(second)).toBe('one')
    expect(await textOf(first)).toBe('two')
  })

  it('takes no entry for a call that was aborted before it was read', async () => {
    const engine = engineOf([answers('one')])
    const stream = engine.stream(request('a', AbortSignal.abort(new Error('too late'))))
    await expect(stream.next()).rejects.toThrow('too late')
    expect(engine.bindings()).toEqual([])
  })

  it('tells of each call before its first chunk', async () => {
    const calls: ModelCall[] = []
    const one = answers('one')
    const engine = engineOf([one], { onCall: call => calls.push(call) })
    const asked = { ...request('a'), purpose: 'compaction', temperature: 0 }
    const stream = engine.stream(asked)
    expect(calls).toEqual([])
    expect(await stream.next()).toMatchObject({ value: { type: 'block-start' } })
    expect(calls).toEqual([
      { sessionId: 'a', request: asked, script: 'session.jsonl', index: 0, entry: one.entries[0] },
    ])
    expect(calls[0]?.request).toBe(asked)
  })

  it('ends a throw entry with an error finish that has every fact', async () => {
    const facts = {
      message: 'slow down',
      code: 'RATE_LIMIT',
      status: 429,
      providerRetryAfterMs: 5,
      requestId: 'r',
    }
    const errors: SnapshotError[] = []
    const engine = engineOf([script([{ kind: 'throw', chunks: cut, ...facts }])], {
      onError: error => errors.push(error),
    })
    expect(await chunksOf(engine.stream(request()))).toEqual([
      ...cut,
      { type: 'finish', reason: { kind: 'error', failure: facts } },
    ])
    expect(errors).toEqual([])
    engine.assertConsumed()
  })

  it('tells of an error of its own, and throws it', async () => {
    const errors: SnapshotError[] = []
    const onError = (error: SnapshotError): unknown => errors.push(error)
    const engine = engineOf(
      [script([{ kind: 'throw', chunks: [], message: '{{fromRequest:x}}', code: 'C' }])],
      {
        onError,
      },
    )
    const failures = [
      await chunksOf(engine.stream(request('a'))).catch((error: unknown) => error),
      await chunksOf(engine.stream(request('a'))).catch((error: unknown) => error),
      await chunksOf(engine.stream(request('b'))).catch((error: unknown) => error),
    ]
    expect(failures).toEqual(errors)
    expect(errors.map(({ code }) => code)).toEqual(['REPLAY_INVALID', 'REPLAY_EXHAUSTED', 'REPLAY_EXHAUSTED'])
    expect(errors[0]?.message).toContain('session.jsonl, entry 0: at message')
  })

  it('throws its own errors where nobody is told as well', async () => {
    await expect(engineOf([answers()]).stream(request()).next()).rejects.toThrow(SnapshotError)
  })

  it('answers calls of a purpose of their own from what is for them, and tells of each', async () => {
    const calls: ModelCall[] = []
    const auxiliary = { 'session-title': answers('Harbour').entries }
    const engine = engineOf([{ ...answers('one', 'two'), auxiliary }], { onCall: call => calls.push(call) })
    const title = { ...request('a'), purpose: 'session-title' }
    expect(await textOf(engine.stream(request('a')))).toBe('one')
    expect(await textOf(engine.stream(title))).toBe('Harbour')
    expect(await textOf(engine.stream(request('a')))).toBe('two')
    expect(calls.map(({ index, request }) => [index, request.purpose])).toEqual([
      [0, undefined],
      [0, 'session-title'],
      [1, undefined],
    ])
    await expect(textOf(engine.stream(title))).rejects.toMatchObject({ code: 'REPLAY_EXHAUSTED' })
    engine.assertConsumed()
  })

  it('binds sessions by what is known of them, with tokens for what is their own', async () => {
    const scripts = [
      { ...answers('root'), lineage: { prompt: 'Begin.' } },
      {
        ...answers('one'),
        number: 1,
        parentSession: 'recorded-0',
        lineage: { prompt: 'in {{cwd}}/one of {{sessionId}}' },
      },
      {
        ...answers('two'),
        number: 2,
        parentSession: 'recorded-0',
        lineage: { prompt: 'in {{cwd}}/two of {{sessionId}}' },
      },
    ]
    const live: Readonly<Record<string, SessionLineage>> = {
      root: { prompt: 'Begin.' },
      late: { parent: 'root', prompt: 'in /run/two of root' },
      early: { parent: 'root', prompt: 'in /own/one of early', cwd: '/own' },
    }
    const asked: string[] = []
    const engine = engineOf(scripts, {
      lineageOf: id => {
        asked.push(id)
        return live[id]
      },
      runContext: () => ({ cwds: ['/run'], sessionIds: [] }),
    })
    const said = await Promise.all(Object.keys(live).map(id => textOf(engine.stream(request(id)))))
    expect(said).toEqual(['root', 'two', 'one'])
    expect(asked).toEqual(['root', 'late', 'early'])
  })

  describe('with a recording to compare with', () => {
    const rows = [...stepRows(1, 'in /then/a', 'b'), ...stepRows(2, 'c', 'd')]
    const built = (): SessionScript[] =>
      buildSessionScripts([{ name: 'session.jsonl', log: logOf(rows, { id: 'then', cwd: '/then' }) }])
    const asking = (...messages: JsonValue[]) => ({ ...request('live-1'), messages })
    const first = said('in /now/a')
    const drifting = asking(first, replied('B'), said('c'))

    function watched(options: Partial<EngineOptions> = {}, scripts = built()) {
      const errors: SnapshotError[] = []
      const engine = engineOf(scripts, {
        lineageOf: () => ({ cwd: '/now' }),
        onError: error => errors.push(error),
        ...options,
      })
      return { engine, errors }
    }

    it('says nothing where the requests are equal', async () => {
      const { engine, errors } = watched()
      expect(await textOf(engine.stream(asking(first)))).toBe('b')
      expect(await textOf(engine.stream(asking(first, replied('b'), said('c'))))).toBe('d')
      expect([engine.drifts(), errors]).toEqual([[], []])
      engine.assertConsumed()
    })

    it.each([undefined, 'error'] as const)(
      'ends a stream before its first chunk where they differ (%s)',
      async drift => {
        const { engine, errors } = watched({ drift })
        await textOf(engine.stream(asking(first)))
        const stream = engine.stream(drifting)
        await expect(stream.next()).rejects.toMatchObject({ code: 'REPLAY_DRIFT' })
        expect(errors.map(({ code }) => code)).toEqual(['REPLAY_DRIFT'])
        expect(errors[0]?.message).toContain(
          'session.jsonl: event 7: model call 1 of session.jsonl, counted from 0 (turn 2, step 1), differs from its recording ' +
            'at messages[1].content[0].text: recorded "b", now "B"',
        )
        expect(engine.drifts()).toHaveLength(1)
      },
    )

    it('goes on where it is only to tell of it', async () => {
      const { engine, errors } = watched({ drift: 'report' })
      await textOf(engine.stream(asking(first)))
      expect(await textOf(engine.stream(drifting))).toBe('d')
      expect(errors).toEqual([])
      expect(engine.drifts()).toMatchObject([{ script: 'session.jsonl', index: 1, recorded: 'b', live: 'B' }])
    })

    it("takes the run's own folders, and a session's own, for tokens", async () => {
      const other = watched({ lineageOf: () => ({}), runContext: () => ({ cwds: ['/now'], sessionIds: [] }) })
      expect(await textOf(other.engine.stream(asking(first)))).toBe('b')
      const neither = watched({ lineageOf: () => ({}) })
      await expect(textOf(neither.engine.stream(asking(first)))).rejects.toThrow(
        'recorded "in {{cwd}}/a", now "in /now/a"',
      )
    })

    it('does not compare the calls of a session that it knows nothing of, of none, or without a recording', async () => {
      const unknown = watched({ lineageOf: () => undefined })
      expect(await textOf(unknown.engine.stream(drifting))).toBe('b')
      const bare = watched({ lineageOf: undefined })
      expect(await textOf(bare.engine.stream(drifting))).toBe('b')
      const anonymous = watched()
      expect(await textOf(anonymous.engine.stream({ ...request(), messages: drifting.messages }))).toBe('b')
      const unrecorded = watched({}, [answers('one')])
      expect(await textOf(unrecorded.engine.stream(drifting))).toBe('one')
      for (const { engine } of [unknown, bare, anonymous, unrecorded]) expect(engine.drifts()).toEqual([])
    })

    it('compares each session with its own recording', async () => {
      const child = {
        name: 'session.1.jsonl',
        log: logOf(stepRows(1, 'x', 'y'), { id: 'child', parentSession: 'then' }),
      }
      const scripts = [...built(), ...buildSessionScripts([{ ...child, name: 'other.jsonl' }])].map(
        (script, number) => ({
          ...script,
          number,
        }),
      )
      const { engine } = watched(
        { drift: 'report', lineageOf: id => (id === 'live-1' ? {} : { parent: 'live-1', prompt: 'x' }) },
        scripts,
      )
      await textOf(engine.stream(asking(first)))
      expect(await textOf(engine.stream({ ...request('child'), messages: [said('X')] }))).toBe('y')
      expect(engine.drifts().map(({ script, path }) => [script, path])).toEqual([
        ['session.jsonl', 'messages[0].content[0].text'],
        ['other.jsonl', 'messages[0].content[0].text'],
      ])
    })

    it('tells of a recording that cannot be followed', async () => {
      const broken = logOf([...rows, checkpointRow('e', 2, 3)], { id: 'then' })
      const { engine, errors } = watched({}, buildSessionScripts([{ name: 'session.jsonl', log: broken }]))
      await expect(textOf(engine.stream(asking(first)))).rejects.toMatchObject({
        code: 'SESSION_LOG_INVALID',
      })
      expect(errors).toHaveLength(1)
    })
  })
})
