import { describe, expect, it } from 'vitest'
import { SnapshotError } from '../../src/errors.ts'
import { ReplayEngine, type EngineOptions, type ModelCall } from '../../src/llm-replay/engine.ts'
import type { SessionScript } from '../../src/llm-replay/script.ts'
import { answer, cut } from './logs.ts'
import { answers, chunksOf, script, textOf } from './scripts.ts'
import { thrown } from '../support/thrown.ts'

const never = (): Promise<never> => new Promise(() => undefined)

function engineOf(scripts: readonly SessionScript[], options: Partial<EngineOptions> = {}): ReplayEngine {
  const effects = { writeReadyFile: never, gate: never, sleep: never }
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
    const asked = { ...request('a'), purpose: 'session-title', temperature: 0 }
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
})
