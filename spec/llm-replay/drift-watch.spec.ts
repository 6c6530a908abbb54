import { describe, expect, it } from 'vitest'
import { DriftWatch, type WatchedRequest } from '../../src/llm-replay/drift-watch.ts'
import type { ReplayOverrideDoc } from '../../src/llm-replay/override.ts'
import { recordedRequests } from '../../src/llm-replay/recorded-requests.ts'
import { buildSessionScripts } from '../../src/llm-replay/script.ts'
import type { JsonValue, SessionLog } from '../../src/session-log/types.ts'
import { createNormalizer, type Normalizer } from '../../src/transcript/index.ts'
import {
  checkpointRow,
  instruction,
  replied,
  replyRow,
  said,
  stepEnd,
  stepRows,
  stepStart,
  summaryRow,
  userRow,
} from './conversation.ts'
import { answer, callRows, chunkRow, cut, logOf, type Row } from './logs.ts'

const nothing = createNormalizer({ cwds: [], sessionIds: [] })
const hang = { kind: 'hang' } as const
const compactionStart: Row = ['compaction/start', { turn: null }]
const compactionEnd: Row = ['compaction/end', { turn: null }]
const silentRows = (turn: number, prompt: string): Row[] => [
  stepStart(turn, 1),
  userRow(prompt),
  stepEnd(turn, 1),
]
const failed = { type: 'finish', reason: { kind: 'error', failure: { message: 'busy', code: 'BUSY' } } }

/** A session that calls its model: what differs at each call, by its path, or nothing. */
class Caller {
  readonly #watch: DriftWatch
  #index = 0

  constructor(rows: readonly Row[], override?: ReplayOverrideDoc, live: Normalizer = nothing) {
    const log = logOf(rows, { id: 'session-1' })
    const source = { name: 'session.jsonl', log, ...(override === undefined ? {} : { override }) }
    const [script] = buildSessionScripts([source])
    if (script === undefined) throw new Error('there is no script')
    this.#watch = new DriftWatch(script, log, live)
  }

  call(messages: readonly JsonValue[], purpose?: string): string | undefined {
    const request: WatchedRequest = { messages, ...(purpose === undefined ? {} : { purpose }) }
    const drift = this.#watch.drift({ index: this.#index }, request)
    this.#index += 1
    return drift?.path
  }

  title(index: number, messages: readonly JsonValue[], lane = 'session-title') {
    return this.#watch.drift({ lane, index }, { messages, purpose: lane })
  }
}

const [a, b, c, d, e, f] = [said('a'), replied('b'), said('c'), replied('d'), said('e'), replied('f')]
const word = 'messages[0].content[0].text'

describe('DriftWatch', () => {
  it('compares each derived call with its own place in the log', () => {
    const rows = [...stepRows(1, 'a', 'b'), ...stepRows(2, 'c', 'd'), ...stepRows(3, 'e', 'f')]
    const caller = new Caller(rows)
    expect(caller.call([a])).toBeUndefined()
    expect(caller.call([a, b, said('C')])).toBe('messages[2].content[0].text')
    expect(caller.call([a, b, c, d])).toBe('messages[4]')
    expect(caller.call([a])).toBeUndefined()
  })

  it('does not take a derived call for another that may have been made', () => {
    const caller = new Caller([...silentRows(1, 'a'), ...stepRows(2, 'c', 'd')])
    expect(caller.call([a])).toBe('messages[1]')
  })

  it('says nothing of a call that nothing was recorded of', () => {
    const caller = new Caller([], [hang, hang])
    expect([caller.call([a]), caller.call([], 'compaction')]).toEqual([undefined, undefined])
  })

  it('compares each attempt of a step', () => {
    const retry: Row[] = [
      ['llm/retry', { turn: 1, step: 1 }],
      ['llm/retry-started', { turn: 1, step: 1 }],
    ]
    const caller = new Caller([
      stepStart(1, 1),
      userRow('a'),
      chunkRow(1, 1, failed),
      ...retry,
      ...callRows(1, 1, answer('b')),
    ])
    expect([caller.call([a]), caller.call([said('A')])]).toEqual([undefined, word])
  })

  describe('of an override', () => {
    const cutOff = [
      ...stepRows(1, 'a', 'b'),
      stepStart(2, 1),
      userRow('c'),
      ...callRows(2, 1, cut),
      replyRow(2, 1, 'par'),
      stepEnd(2, 1),
    ]

    it('compares a patched call with the one that it takes the place of', () => {
      const doc: ReplayOverrideDoc = { patches: [{ at: 1, entry: hang }] }
      const whole = [...cutOff, ...stepRows(3, 'e', 'f')]
      const next = [a, b, c, replied('par'), e]
      const equal = new Caller(whole, doc)
      expect([equal.call([a]), equal.call([a, b, c]), equal.call(next)]).toEqual([
        undefined,
        undefined,
        undefined,
      ])
      const drifting = new Caller(whole, doc)
      expect([drifting.call([a]), drifting.call([a, b, e]), drifting.call(next)]).toEqual([
        undefined,
        'messages[2].content[0].text',
        undefined,
      ])
    })

    it('compares the calls of a script that replaces it in their order', () => {
      const caller = new Caller(cutOff, [hang, hang])
      expect([caller.call([a]), caller.call([a, b, said('C')])]).toEqual([
        undefined,
        'messages[2].content[0].text',
      ])
    })

    it('compares a call that is appended with what comes after the last', () => {
      const rows = [...stepRows(1, 'a', 'b'), ...silentRows(2, 'c')]
      const doc: ReplayOverrideDoc = { patches: [{ at: 1, entry: hang }] }
      const caller = new Caller(rows, doc)
      expect([caller.call([a]), caller.call([a, b, said('C')])]).toEqual([
        undefined,
        'messages[2].content[0].text',
      ])
      expect(caller.call([said('more')])).toBeUndefined()
    })

    it('passes over a step that made no call', () => {
      const rows = [...silentRows(1, 'a'), ...silentRows(2, 'c'), ...stepRows(3, 'e', 'f')]
      const caller = new Caller(rows, [hang, hang])
      expect(caller.call([a, c])).toBeUndefined()
      expect(caller.call([a, c, e])).toBeUndefined()
      // A derived call has its own place, whatever comes before it.
      expect(new Caller(rows).call([a, c, e])).toBeUndefined()
    })

    it('compares every call of steps without a chunk', () => {
      const rows = [...silentRows(1, 'a'), ...silentRows(2, 'c'), ...silentRows(3, 'e')]
      const caller = new Caller(rows, [hang, hang, hang])
      expect([caller.call([a]), caller.call([a, c]), caller.call([a, c, said('E')])]).toEqual([
        undefined,
        undefined,
        'messages[2].content[0].text',
      ])
    })

    it('passes over no step that made a call', () => {
      const rows = [...stepRows(1, 'a', 'b'), ...stepRows(2, 'c', 'd')]
      const caller = new Caller(rows, [hang, hang])
      expect(caller.call([a, b, c])).toBe('messages[1]')
      expect(caller.call([a, b, c])).toBeUndefined()
    })

    it('names what differs from the call that was made, not from one that may not have been', () => {
      const rows = [...silentRows(1, 'a'), ...stepRows(2, 'c', 'd'), ...stepRows(3, 'e', 'f')]
      const caller = new Caller(rows, [hang, hang])
      expect(caller.call([a, said('C')])).toBe('messages[1].content[0].text')
      expect(caller.call([a, c, d, e])).toBeUndefined()
    })

    it('names what differs from a call that may not have been made, where the messages are as many', () => {
      const rows = [...silentRows(1, 'a'), ...stepRows(2, 'c', 'd')]
      const caller = new Caller(rows, [hang, hang])
      expect(caller.call([said('A')])).toBe(word)
      expect(caller.call([a, c])).toBeUndefined()
    })

    it('goes on with the next call after a difference', () => {
      const rows = [...stepRows(1, 'a', 'b'), ...stepRows(2, 'c', 'd'), ...stepRows(3, 'e', 'f')]
      const caller = new Caller(rows, [hang, hang, hang])
      const results = [caller.call([said('A')]), caller.call([a, b, said('C')]), caller.call([a, b, c, d, e])]
      expect(results).toEqual([word, 'messages[2].content[0].text', undefined])
    })

    it('follows a request that was cancelled after a compaction within its step', () => {
      const rows = [
        ...stepRows(1, 'a', 'b'),
        stepStart(2, 1),
        userRow('c'),
        chunkRow(2, 1, failed),
        compactionStart,
        summaryRow([1, 7]),
        checkpointRow('a, b', 1, 7),
        compactionEnd,
        stepEnd(2, 1),
        ...stepRows(3, 'e', 'f'),
      ]
      const short = said('a, b', 'plugin')
      const caller = new Caller(rows, [hang, hang, hang, hang, hang])
      expect(caller.call([a])).toBeUndefined()
      expect(caller.call([a, b, c])).toBeUndefined()
      expect(caller.call([a, b, instruction], 'compaction')).toBeUndefined()
      expect(caller.call([short, c])).toBeUndefined()
      expect(caller.call([short, c, e])).toBeUndefined()
    })

    it('goes by the place in the log again after calls that have none', () => {
      const rows = [...silentRows(1, 'a'), ...stepRows(2, 'c', 'd'), ...silentRows(3, 'e')]
      const doc: ReplayOverrideDoc = { patches: [{ at: 1, entry: hang }] }
      const caller = new Caller(rows, doc)
      expect([caller.call([a, c]), caller.call([a, c, d, said('E')])]).toEqual([
        undefined,
        'messages[3].content[0].text',
      ])
    })
  })

  describe('of compactions', () => {
    const marked = [
      ...stepRows(1, 'a', 'b'),
      compactionStart,
      summaryRow([1, 7]),
      checkpointRow('a, b', 1, 7),
      compactionEnd,
      ...stepRows(2, 'c', 'd'),
    ]
    const short = said('a, b', 'plugin')

    it('compares what was to be put in short', () => {
      const caller = new Caller(marked)
      expect(caller.call([a])).toBeUndefined()
      expect(caller.call([a, replied('B'), instruction], 'compaction')).toBe('messages[1].content[0].text')
      expect(caller.call([short, c])).toBeUndefined()
    })

    it('tells of a conversation that goes on without one', () => {
      const caller = new Caller(marked)
      expect([caller.call([a]), caller.call([a, b, c])]).toEqual([undefined, 'purpose'])
      const replaced = new Caller(marked, [hang, hang])
      expect([replaced.call([a]), replaced.call([a, b, c])]).toEqual([undefined, 'purpose'])
    })

    it('compares those of a script that replaces it in their order', () => {
      const caller = new Caller(marked, [hang, hang, hang])
      expect([
        caller.call([a]),
        caller.call([a, b, instruction], 'compaction'),
        caller.call([short, c]),
      ]).toEqual([undefined, undefined, undefined])
    })

    it('takes one that is not marked for a call only where it is made for that', () => {
      const unmarked: Row = ['compaction/summary', { rawOutput: [] }]
      const rows = marked.map(row => (row[0] === 'compaction/summary' ? unmarked : row))
      const called = new Caller(rows, [hang, hang, hang])
      expect(called.call([a])).toBeUndefined()
      expect(called.call([said('whatever')], 'compaction')).toBeUndefined()
      expect(called.call([short, c])).toBeUndefined()
      const made = new Caller(rows, [hang, hang])
      expect([made.call([a]), made.call([short, said('C')])]).toEqual([
        undefined,
        'messages[1].content[0].text',
      ])
    })
  })

  describe('of titles', () => {
    const asked = (text: string): Row => [
      'session/title-llm-request',
      { messageSeqs: [0], messages: [said(text, 'plugin')] },
    ]
    const rows = [...stepRows(1, 'a', 'b'), asked('Name a.'), asked('Name b.')]

    it('compares the messages of each', () => {
      const caller = new Caller(rows)
      expect(caller.title(1, [said('Name b.', 'plugin')])).toBeUndefined()
      expect(caller.title(0, [said('Name x.', 'plugin')])).toMatchObject({
        purpose: 'session-title',
        path: word,
        message: expect.stringMatching(
          /^session\.jsonl: event 9: "session-title" call 0 of session\.jsonl, counted from 0, differs/,
        ) as string,
      })
    })

    it('does not take them for calls of the conversation', () => {
      const caller = new Caller(rows, [hang, hang])
      expect(caller.title(0, [said('Name a.', 'plugin')])).toBeUndefined()
      expect(caller.call([a])).toBeUndefined()
    })

    it('says nothing of one too many, or of a lane that it does not know', () => {
      const caller = new Caller(rows)
      expect(caller.title(2, [e])).toBeUndefined()
      expect(caller.title(0, [f], 'verdict')).toBeUndefined()
    })
  })

  it('tells of a message that changed once, though every later call has it', () => {
    const rows = [...stepRows(1, 'a', 'b'), ...stepRows(2, 'c', 'd')]
    const caller = new Caller(rows)
    const changed = said('A')
    expect([caller.call([changed]), caller.call([changed, b, c])]).toEqual([word, undefined])
  })

  it("puts tokens for what the log's own header says", () => {
    const log: SessionLog = logOf(stepRows(1, 'in /then/a of s-1, for p-1', 'b'), {
      id: 's-1',
      cwd: '/then',
      parentSession: 'p-1',
    })
    const live = createNormalizer({ cwds: ['/now'], sessionIds: ['s-2', 'p-2'] })
    const watch = new DriftWatch({ name: 'session.jsonl', places: [2] }, log, live)
    expect(watch.drift({ index: 0 }, { messages: [said('in /now/a of s-2, for p-2')] })).toBeUndefined()
  })

  it.each([
    ['derived', false],
    ['replaced by an override', true],
  ])('looks at each message of a long session once, where its script is %s', (_what, replaced) => {
    const turns = 2000
    const rows = Array.from({ length: turns }, (_, turn) =>
      stepRows(turn + 1, `ask ${turn}`, `say ${turn}`),
    ).flat()
    let looked = 0
    const live: Normalizer = {
      text: text => text,
      value: value => {
        looked += 1
        return value
      },
    }
    const caller = new Caller(rows, replaced ? Array.from({ length: turns }, () => hang) : undefined, live)
    const whole = recordedRequests(logOf(rows)).at(-1)?.messages?.() ?? []
    const messages = structuredClone(whole.map(({ message }) => message))
    for (let turn = 0; turn < turns; turn += 1) {
      expect(caller.call(messages.slice(0, 2 * turn + 1))).toBeUndefined()
    }
    expect(looked).toBe(2 * turns - 1)
  })
})
