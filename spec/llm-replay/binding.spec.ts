import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ScriptBinder } from '../../src/llm-replay/binding.ts'
import type { ReplayEntry } from '../../src/llm-replay/entry.ts'
import type { SessionScript } from '../../src/llm-replay/script.ts'
import { answer, logOf } from './logs.ts'
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

  it('asks for one more entry where somebody has written all there are', () => {
    const whole = { ...scriptOf(0, 1, [0]), authored: true, overrideFile: 'my.json' }
    for (const [script, file] of [
      [whole, 'my.json'],
      [{ ...scriptOf(0, 1, [0]), authored: true }, 'replay.override.json'],
      [{ ...scriptOf(0, 0), id: '{{sessionId}}', overrideFile: 'replay' }, 'replay'],
    ] as const) {
      const binder = new ScriptBinder([script])
      for (let left = script.entries.length; left > 0; left -= 1) binder.next('a')
      expect(thrown(() => binder.next('a')).message).toContain(
        `. The agent calls its model once more than was written for it: add an entry for this call at the end of ${file}.`,
      )
    }
    const silent = new ScriptBinder([scriptOf(0, 0)])
    expect(thrown(() => silent.next('a')).message).toContain(
      'record the scenario again, or add an entry for this call to replay.override.json: {"patches":[{"at":0,"entry":…}]}.',
    )
    const patched = new ScriptBinder([{ ...scriptOf(0, 2, [1]), authored: true, overrideFile: 'my.json' }])
    patched.next('a')
    patched.next('a')
    expect(thrown(() => patched.next('a')).message).toContain(
      'record the scenario again, or add an entry for this call to my.json: {"patches":[{"at":2,"entry":…}]}.',
    )
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

  it('says of a hang that was left how to wait for it', () => {
    const script = scriptOf(0, 1)
    const hanging = { ...script, entries: [...script.entries, { kind: 'hang' } as const] }
    const binder = new ScriptBinder([hanging])
    const hint = 'let it write a "readyFile", and promptAndCancel wait for that with "waitForFile".'
    expect(thrown(() => binder.assertConsumed()).message).toContain(hint)
    expect(thrown(() => new ScriptBinder([script]).assertConsumed()).message).not.toContain('readyFile')
    binder.next('a')
    binder.next('a')
    expect(() => binder.assertConsumed()).not.toThrow()
    const read = new ScriptBinder([{ ...script, entries: [...hanging.entries].reverse() }])
    read.next('a')
    expect(thrown(() => read.assertConsumed()).message).not.toContain('readyFile')
  })

  it('needs no session for empty scripts', () => {
    expect(() => new ScriptBinder(scriptsOf(0, 0)).assertConsumed()).not.toThrow()
    expect(() => new ScriptBinder([]).assertConsumed()).not.toThrow()
  })

  it('asks for a lineage once a session, and binds by it', () => {
    const scripts = scriptsOf(1, 2, 1).map((script, number) => ({
      ...script,
      ...(number === 0 ? {} : { parentSession: 'id-0' }),
      lineage: { prompt: `prompt ${number}` },
    }))
    const asked: string[] = []
    const live = {
      root: {},
      late: { parent: 'root', prompt: 'prompt 2' },
      early: { parent: 'root', prompt: 'prompt 1' },
    }
    const binder = new ScriptBinder(scripts, id => {
      asked.push(id)
      return live[id as keyof typeof live]
    })
    const served = ['root', 'late', 'early', 'early'].map(id => binder.next(id).script.number)
    expect(served).toEqual([0, 2, 1, 1])
    expect(asked).toEqual(['root', 'late', 'early'])
  })

  describe('with calls of other purposes', () => {
    const titled = (number: number, conversation: number, titles: number): SessionScript => ({
      ...scriptOf(number, conversation, [0]),
      auxiliary: { 'session-title': scriptOf(9, titles).entries },
    })

    it('keeps a cursor for each purpose, however the calls interleave', () => {
      const purposes = ['session-title', 'compaction', undefined] as const
      const calls = fc.array(fc.tuple(fc.constantFrom('a', 'b'), fc.constantFrom(...purposes)), {
        maxLength: 20,
      })
      fc.assert(
        fc.property(calls, list => {
          const scripts = [titled(0, 20, 20), titled(1, 20, 20)]
          const binder = new ScriptBinder(scripts)
          const cursors = new Map<string, number>()
          const sessions = [...new Set(list.map(([session]) => session))]
          for (const [session, purpose] of list) {
            const lane = purpose === 'session-title' ? purpose : undefined
            const key = `${session} ${lane}`
            const index = cursors.get(key) ?? 0
            cursors.set(key, index + 1)
            const script = scripts[sessions.indexOf(session)]
            const entries = lane === undefined ? script?.entries : script?.auxiliary?.[lane]
            expect(binder.next(session, purpose)).toEqual({
              script,
              index,
              entry: entries?.[index],
              ...(lane === undefined ? {} : { lane }),
              authored: lane === undefined && index === 0,
            })
          }
        }),
      )
    })

    it('binds a session by its first call, whatever that is for', () => {
      const binder = new ScriptBinder([titled(0, 1, 1), titled(1, 1, 1)])
      expect(binder.next('a', 'session-title').script.number).toBe(0)
      expect(binder.next('b', 'session-title').script.number).toBe(1)
      expect([binder.next('b').script.number, binder.next('a').script.number]).toEqual([1, 0])
      binder.assertConsumed()
    })

    it('answers with a failure where somebody wrote the script and no call was recorded', () => {
      const log = logOf([['subagent/descriptor', { label: 'Water' }]])
      const binder = new ScriptBinder([{ ...scriptOf(0, 1), log }])
      expect(binder.next('a', 'session-title')).toMatchObject({
        lane: 'session-title',
        index: 0,
        entry: {
          kind: 'throw',
          code: 'NOT_SCRIPTED',
          message: 'no answer to a "session-title" call is scripted',
        },
      })
      expect(binder.next('a').index).toBe(0)
      binder.assertConsumed()
    })

    it.each([['step/start'], ['assistant/chunk']])(
      'does not where the log tells of a call by its %s',
      type => {
        const log = logOf([[type, { turn: 1, step: 1 }]])
        const binder = new ScriptBinder([{ ...scriptOf(0, 1), log }])
        expect(thrown(() => binder.next('a', 'session-title')).code).toBe('REPLAY_EXHAUSTED')
      },
    )

    it('fails a call beyond the last of its purpose, and says which', () => {
      const binder = new ScriptBinder([titled(0, 5, 1)])
      binder.next('a', 'session-title')
      const error = thrown(() => binder.next('a', 'session-title'))
      expect(error.code).toBe('REPLAY_EXHAUSTED')
      expect(error.message).toBe(
        'session.jsonl: session "a" makes its "session-title" call 1, counted from 0, but the script has 1 entry for such ' +
          'calls. The recording is older than the code: record the scenario again. Calls with a purpose of their own are ' +
          'answered from what the log keeps of them.',
      )
      expect(error.details).toEqual({
        sessionId: 'a',
        script: 'session.jsonl',
        entries: 1,
        lane: 'session-title',
      })
      expect(binder.next('a')).toMatchObject({ index: 0 })
    })

    it.each(['verdict', 'constructor', '__proto__', 'length'])(
      'has no answer to a purpose that it does not know: %s',
      purpose => {
        for (const script of [titled(0, 5, 1), scriptOf(0, 5)]) {
          const error = thrown(() => new ScriptBinder([script]).next('a', purpose))
          expect(error.code).toBe('REPLAY_EXHAUSTED')
          expect(error.message).toContain(
            `makes its "${purpose}" call 0, counted from 0, but the script has 0 entries for such calls`,
          )
          expect(error.details).toMatchObject({ entries: 0, lane: purpose })
        }
      },
    )

    it('lists what was left of each', () => {
      const binder = new ScriptBinder([titled(0, 1, 2), titled(1, 0, 1), titled(2, 0, 0)])
      binder.next('a')
      binder.next('a', 'session-title')
      const error = thrown(() => binder.assertConsumed())
      expect(error.message).toContain(
        'session.jsonl: entry 1 of 2 for "session-title" calls unread (session "a" had it); ' +
          'session.1.jsonl: entry 0 of 1 for "session-title" calls unread (no live session had it).',
      )
      expect(error.details).toMatchObject({
        left: [
          { script: 'session.jsonl', lane: 'session-title', sessionId: 'a', from: 1, to: 1 },
          { script: 'session.1.jsonl', lane: 'session-title', from: 0, to: 0 },
        ],
      })
      binder.next('a', 'session-title')
      binder.next('b', 'session-title')
      binder.assertConsumed()
    })
  })

  it('says who a session without a script is, and whose the scripts are that are left', () => {
    const child = {
      ...scriptOf(1, 1),
      parentSession: 'id-0',
      lineage: { label: 'Water', prompt: 'Name a sea.' },
    }
    const binder = new ScriptBinder([{ ...scriptOf(0, 1), lineage: {} }, child], id =>
      id === 'a' ? {} : { prompt: 'Begin.' },
    )
    binder.next('a')
    const error = thrown(() => binder.next('b'))
    expect(error.message).toBe(
      'session "b" (a session that a client opened, prompt "Begin.") calls the model, but no script is left for it: ' +
        'session.jsonl (1 entry) answers session "a", session.1.jsonl is of a session started by "id-0", label "Water", ' +
        'prompt "Name a sea.". The recording is older than the code: record the scenario again, or add a session.<n>.jsonl ' +
        'for the session, with a replay.override.<n>.json that answers it (in a scenario without files, an element of ' +
        '"children").',
    )
    expect(error.details).toEqual({
      sessionId: 'b',
      lineage: { prompt: 'Begin.' },
      scripts: ['session.jsonl', 'session.1.jsonl'],
    })
    expect(thrown(() => binder.next(undefined)).message).toContain(
      'the session without an id calls the model',
    )
  })

  it('gives a grandchild the script of a child of its own parent', () => {
    const scripts = [
      scriptOf(0, 1),
      { ...scriptOf(1, 1), parentSession: 'id-0', lineage: { label: 'x' } },
      { ...scriptOf(2, 1), parentSession: 'id-0', lineage: { label: 'y' } },
      { ...scriptOf(3, 1), parentSession: 'id-1', lineage: { label: 'same' } },
      { ...scriptOf(4, 1), parentSession: 'id-2', lineage: { label: 'same' } },
    ]
    const live: Readonly<Record<string, { parent?: string; label?: string }>> = {
      root: {},
      y: { parent: 'root', label: 'y' },
      x: { parent: 'root', label: 'x' },
      'of y': { parent: 'y', label: 'same' },
      'of x': { parent: 'x', label: 'same' },
    }
    const binder = new ScriptBinder(scripts, id => live[id])
    expect(Object.keys(live).map(id => binder.next(id).script.number)).toEqual([0, 2, 1, 4, 3])
    binder.assertConsumed()
  })
})
