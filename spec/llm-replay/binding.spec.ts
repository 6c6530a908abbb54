import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ScriptBinder, type ChooseScript } from '../../src/llm-replay/binding.ts'
import type { ReplayEntry } from '../../src/llm-replay/entry.ts'
import type { SessionScript } from '../../src/llm-replay/script.ts'
import { answer } from './logs.ts'
import { thrown } from '../support/thrown.ts'

function scriptOf(number: number, length: number, authoredAt: readonly number[] = []): SessionScript {
  const name = number === 0 ? 'session.jsonl' : `session.${number}.jsonl`
  const entries = Array.from({ length }, (_, index): ReplayEntry => ({
    kind: 'chunks',
    chunks: answer(`${number}.${index}`),
  }))
  return {
    name,
    number,
    id: `id-${number}`,
    createdAt: number,
    authored: false,
    authoredAt: new Set(authoredAt),
    entries,
  }
}

const scriptsOf = (...lengths: number[]): SessionScript[] =>
  lengths.map((length, number) => scriptOf(number, length))

describe('ScriptBinder', () => {
  it('serves each session its own script, in order of first call, however the calls interleave', () => {
    const runs = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 5 }).chain(lengths =>
      fc.record({
        lengths: fc.constant(lengths),
        calls: fc.shuffledSubarray(
          lengths.flatMap((length, session) => new Array<number>(length).fill(session)),
          { minLength: lengths.reduce((sum, length) => sum + length, 0) },
        ),
      }),
    )
    fc.assert(
      fc.property(runs, ({ lengths, calls }) => {
        // Renumbered by first call, so that session n makes as many calls as script n has entries.
        const sessions = [...new Set(calls)]
        const scripts = scriptsOf(...sessions.map(session => lengths[session] ?? 0))
        const binder = new ScriptBinder(scripts)
        const cursors = new Map<number, number>()
        for (const call of calls) {
          const index = cursors.get(call) ?? 0
          cursors.set(call, index + 1)
          const script = scripts[sessions.indexOf(call)]
          expect(binder.next(`live-${call}`)).toEqual({
            script,
            index,
            entry: script?.entries[index],
            authored: false,
          })
        }
        binder.assertConsumed()
        expect(binder.bindings()).toEqual(
          sessions.map((session, place) => ({ sessionId: `live-${session}`, script: scripts[place] })),
        )
      }),
    )
  })

  it('lets calls without an id share one session, bound to the primary', () => {
    const scripts = scriptsOf(2, 1)
    const binder = new ScriptBinder(scripts)
    expect(binder.next(undefined).script).toBe(scripts[0])
    expect(binder.next('a').script).toBe(scripts[1])
    expect(binder.next(undefined)).toMatchObject({ index: 1, script: { name: 'session.jsonl' } })
    expect(binder.bindings().map(({ sessionId }) => sessionId)).toEqual([undefined, 'a'])
  })

  it('fails a call without an id where the primary is taken', () => {
    const binder = new ScriptBinder(scriptsOf(1, 1))
    binder.next('a')
    const error = thrown(() => binder.next(undefined))
    expect(error.code).toBe('REPLAY_EXHAUSTED')
    expect(error.message).toContain('the session without an id calls the model, but no script is left for it')
  })

  it('marks entries of an override', () => {
    const binder = new ScriptBinder([scriptOf(0, 2, [1])])
    expect([binder.next('a').authored, binder.next('a').authored]).toEqual([false, true])
  })

  it('passes over an empty script while another is left', () => {
    const scripts = scriptsOf(1, 0, 1)
    const binder = new ScriptBinder(scripts)
    binder.next('a')
    expect(binder.next('b').script).toBe(scripts[2])
    expect(() => binder.assertConsumed()).not.toThrow()
    const error = thrown(() => binder.next('c'))
    expect(error.message).toContain(
      'session.1.jsonl: session "c" makes its model call 0, counted from 0, but the script has 0 entries',
    )
  })

  it('fails a call beyond the last entry, each time, and says what to do', () => {
    const binder = new ScriptBinder([scriptOf(0, 1), scriptOf(1, 2)])
    binder.next('a')
    for (let call = 0; call < 2; call++) {
      const error = thrown(() => binder.next('a'))
      expect(error.code).toBe('REPLAY_EXHAUSTED')
      expect(error.message).toBe(
        'session.jsonl: session "a" makes its model call 1, counted from 0, but the script has 1 entry. The recording is ' +
          'older than the code: record the scenario again, or add an entry for this call to replay.override.json: ' +
          '{"patches":[{"at":1,"entry":…}]}.',
      )
      expect(error.details).toEqual({ sessionId: 'a', script: 'session.jsonl', entries: 1 })
    }
    binder.next('b')
    binder.next('b')
    expect(thrown(() => binder.next('b')).message).toContain('the script has 2 entries')
    expect(thrown(() => binder.next('b')).message).toContain('replay.override.1.json')
  })

  it('fails more sessions than scripts, each time, and says who has them', () => {
    const binder = new ScriptBinder(scriptsOf(1, 2))
    binder.next('a')
    binder.next('b')
    for (let call = 0; call < 2; call++) {
      const error = thrown(() => binder.next('c'))
      expect(error.code).toBe('REPLAY_EXHAUSTED')
      expect(error.message).toContain(
        'session "c" calls the model, but no script is left for it: session.jsonl (1 entry) answers session "a", ' +
          'session.1.jsonl (2 entries) answers session "b". The recording is older than the code: record the scenario again',
      )
      expect(error.details).toEqual({ sessionId: 'c', scripts: ['session.jsonl', 'session.1.jsonl'] })
    }
    expect(thrown(() => new ScriptBinder([]).next('a')).message).toContain('there is no script at all')
  })

  it('lists what was left', () => {
    const binder = new ScriptBinder(scriptsOf(3, 1, 2, 0))
    binder.next('a')
    binder.next('b')
    const error = thrown(() => binder.assertConsumed())
    expect(error.code).toBe('REPLAY_UNCONSUMED')
    expect(error.message).toContain(
      'session.jsonl: entries 1 to 2 of 3 unread (session "a" had it); session.2.jsonl: entries 0 to 1 of 2 unread (no live session had it).',
    )
    expect(error.details).toMatchObject({
      left: [
        { script: 'session.jsonl', sessionId: 'a', from: 1, to: 2 },
        { script: 'session.2.jsonl', from: 0, to: 1 },
      ],
    })
    binder.next('a')
    expect(thrown(() => binder.assertConsumed()).message).toContain('session.jsonl: entry 2 of 3 unread')
  })

  it('needs no session for empty scripts', () => {
    expect(() => new ScriptBinder(scriptsOf(0, 0)).assertConsumed()).not.toThrow()
    expect(() => new ScriptBinder([]).assertConsumed()).not.toThrow()
  })

  it('asks another rule once a session', () => {
    const scripts = scriptsOf(1, 1)
    const asked: unknown[] = []
    const lastFirst: ChooseScript = choice => {
      asked.push(choice)
      return choice.unbound.at(-1)
    }
    const binder = new ScriptBinder(scripts, lastFirst)
    expect(binder.next('a').script).toBe(scripts[1])
    expect(binder.next('b').script).toBe(scripts[0])
    expect(asked).toEqual([
      { sessionId: 'a', scripts, unbound: scripts, bindings: [] },
      { sessionId: 'b', scripts, unbound: [scripts[0]], bindings: [{ sessionId: 'a', script: scripts[1] }] },
    ])
  })
})
