import { describe, expect, it } from 'vitest'
import type { RecordedRequest } from '../../src/llm-replay/recorded-requests.ts'
import {
  driftError,
  RequestCheck,
  type ComparedCall,
  type RequestDrift,
} from '../../src/llm-replay/request-check.ts'
import type { JsonObject, JsonValue, SessionLog } from '../../src/session-log/types.ts'
import { createNormalizer, type Normalizer } from '../../src/transcript/index.ts'
import { instruction, replied, said } from './conversation.ts'
import { logOf } from './logs.ts'

/** Normalises nothing, and counts the values that it is given. */
class Counter implements Normalizer {
  count = 0
  text = (text: string): string => text
  value = (value: JsonValue): JsonValue => {
    this.count += 1
    return value
  }
}

const nothing = createNormalizer({ cwds: [], sessionIds: [] })
const call = { script: 'session.jsonl', index: 2 }

function checkOf(log: Partial<SessionLog> = {}, recorded: Normalizer = nothing, live: Normalizer = nothing) {
  return new RequestCheck({ ...logOf([]), ...log }, recorded, live)
}

/** A recorded request with these messages, which the events from 10 on have put there. */
function request(messages: readonly JsonValue[], rest: Partial<RecordedRequest> = {}): RecordedRequest {
  const surface = messages.map((message, index) => ({ seq: 10 + index, message }))
  return {
    seq: 30,
    turn: 4,
    step: 1,
    kind: 'conversation',
    optional: false,
    messages: () => surface,
    ...rest,
  }
}

/** Compares, and takes no equality for an answer. */
function driftOf(
  check: RequestCheck,
  recorded: RecordedRequest,
  live: readonly JsonValue[],
  made: ComparedCall = call,
): RequestDrift {
  const drift = check.compare(made, recorded, live)
  if (drift === undefined) throw new Error('nothing differs')
  return drift
}

/** The place of a difference between two lists of messages, and what is there. */
function difference(recorded: readonly JsonValue[], live: readonly JsonValue[]): unknown {
  const drift = checkOf().compare(call, request(recorded), live)
  return drift && [drift.path, drift.recorded, drift.live]
}

const history = [said('one'), replied('two'), said('three')]

describe('RequestCheck', () => {
  it('finds equal messages equal, whatever the order of their keys', () => {
    expect(difference(history, structuredClone(history))).toBeUndefined()
    const turned = history.map(message => Object.fromEntries(Object.entries(message).reverse()))
    expect(difference(history, turned)).toBeUndefined()
  })

  it('tells of a word that changed: call, place, both texts', () => {
    const live = [said('one'), replied('too'), said('three')]
    expect(checkOf().compare(call, request(history), live)).toEqual({
      script: 'session.jsonl',
      index: 2,
      path: 'messages[1].content[0].text',
      recorded: 'two',
      live: 'too',
      message:
        'session.jsonl: event 11: model call 2 of session.jsonl, counted from 0 (turn 4, step 1), differs from its ' +
        'recording at messages[1].content[0].text: recorded "two", now "too"',
    })
  })

  it('names the line of the event that has the message', () => {
    const lines = Array.from({ length: 40 }, (_, seq) => 2 * seq)
    const drift = checkOf({ file: 'dir/session.jsonl', lines }).compare(call, request(history), [
      said('one'),
      said('x'),
    ])
    expect(drift?.message).toMatch(/^dir\/session\.jsonl:22: model call 2 of session\.jsonl, /)
    // What was not there is told at the call's own place.
    const more = checkOf({ lines }).compare(call, request(history), [...history, said('more')])
    expect(more?.message).toMatch(/^session\.jsonl:60: model call/)
  })

  it.each([
    ['is missing', history.slice(0, 2), 'messages[2]', said('three'), undefined],
    ['is one too many', [...history, said('four')], 'messages[3]', undefined, said('four')],
    [
      'comes earlier',
      [said('three'), said('one'), replied('two')],
      'messages[0].content[0].text',
      'one',
      'three',
    ],
    [
      'is of another role',
      [said('one'), { ...said('two'), source: replied().source as JsonObject }, said('three')],
      'messages[1].role',
      'assistant',
      'user',
    ],
    [
      'has one block more',
      [
        ...history.slice(0, 2),
        { ...said('three'), content: [...(said('three').content as JsonValue[]), 'x'] },
      ],
      'messages[2].content[1]',
      undefined,
      'x',
    ],
    [
      'has no content',
      [{ role: 'user', source: { kind: 'user' } }, ...history.slice(1)],
      'messages[0].content',
      said('one').content,
      undefined,
    ],
    ['is no object', ['one', ...history.slice(1)], 'messages[0]', said('one'), 'one'],
    [
      'has a key that is no name',
      [{ ...said('one'), 'a b': 1 }, ...history.slice(1)],
      'messages[0]["a b"]',
      undefined,
      1,
    ],
  ])('tells where a message %s', (_what, live, path, recorded, now) => {
    expect(difference(history, live)).toEqual([path, recorded, now])
  })

  it('compares what both sides have of their own as tokens', () => {
    const recorded = createNormalizer({ cwds: ['/then/cwd'], sessionIds: ['s-1'] })
    const live = createNormalizer({ cwds: ['/now/cwd'], sessionIds: ['s-2'] })
    const check = checkOf({}, recorded, live)
    const then = said('in /then/cwd/a of s-1, 3f2b8c1e-0d4a-4c5b-9a52-2f8f0a4c9d11')
    const now = said('in /now/cwd/a of s-2, 11111111-2222-4333-8444-555555555555')
    expect(check.compare(call, request([then]), [now])).toBeUndefined()
    expect(check.compare(call, request([then]), [said('in /now/cwd/b of s-2')])).toMatchObject({
      recorded: 'in {{cwd}}/a of {{sessionId}}, {{sessionId}}',
      live: 'in {{cwd}}/b of {{sessionId}}',
    })
    expect(check.compare(call, request([said('{{cwd}}/a')]), [said('/now/cwd/a')])).toBeUndefined()
    // The other's own paths are nothing to either.
    expect(check.compare(call, request([said('/now/cwd/a')]), [said('/now/cwd/a')])).toMatchObject({
      live: '{{cwd}}/a',
    })
  })

  it('does not compare where the recording says nothing of the messages', () => {
    const unknown = request([], { messages: undefined })
    expect(checkOf().compare(call, unknown, history)).toBeUndefined()
    // No request is without messages: a log that was put together by hand may have only what the model said.
    expect(checkOf().compare(call, request([]), history)).toBeUndefined()
    expect(checkOf().compare(call, request(history), [])).toMatchObject({
      path: 'messages[0]',
      live: undefined,
    })
  })

  it('leaves turn and step out where the recording has none', () => {
    const { turn: _turn, ...stepped } = request(history)
    const { step: _step, ...turned } = request(history)
    for (const place of [stepped, turned]) {
      const { message } = driftOf(checkOf(), place, [])
      expect(message).toContain('counted from 0, differs')
    }
  })

  it('cuts long texts around the difference', () => {
    const text = 'word '.repeat(100)
    const drift = checkOf().compare(call, request([said(text + 'end')]), [said(text + 'END')])
    expect(drift?.live).toBe(text + 'END')
    expect(drift?.message.length).toBeLessThan(500)
    expect(drift?.message).toContain('word END"')
  })

  describe('of a compaction', () => {
    const compaction = request(history, { kind: 'compaction' })
    const summary = { ...call, purpose: 'compaction' }

    it("compares what is before the summariser's instruction, which no log has", () => {
      expect(checkOf().compare(summary, compaction, [...history, instruction])).toBeUndefined()
      expect(checkOf().compare(summary, compaction, [...history.slice(0, 2), instruction])).toMatchObject({
        purpose: 'compaction',
        path: 'messages[2]',
        message: expect.stringContaining('"compaction" call 2 of session.jsonl, counted from 0') as string,
      })
    })

    it.each([
      ['a message of a user', said('Summarise.')],
      ['no message', undefined],
      ['a text', 'Summarise.'],
      ['null', null],
      ['a message without a source', { role: 'user' }],
      ['a message whose source is no object', { source: 'plugin' }],
      ['a message whose source is null', { source: null }],
      ['a message whose source has no kind', { source: { plugin: 'x' } }],
    ])('does not compare what a summariser of another kind says, which ends with %s', (_what, last) => {
      const live = last === undefined ? [] : [said('other'), last]
      expect(checkOf().compare(summary, compaction, live)).toBeUndefined()
    })

    it('compares a call without a purpose where it ends with an instruction', () => {
      expect(checkOf().compare(call, compaction, [...history, instruction])).toBeUndefined()
      expect(checkOf().compare(call, compaction, [said('x'), instruction])).toMatchObject({
        path: 'messages[0].content[0].text',
      })
    })

    it('tells of a conversation that goes on where it was compacted', () => {
      expect(checkOf().compare(call, compaction, [...history, said('four')])).toMatchObject({
        path: 'purpose',
        recorded: 'compaction',
        live: undefined,
        message: expect.stringContaining('at purpose: recorded "compaction", now nothing') as string,
      })
    })
  })

  it('looks at a message once, though every later request has it', () => {
    const [recorded, live] = [new Counter(), new Counter()]
    const check = checkOf({}, recorded, live)
    const then = Array.from({ length: 200 }, (_, index) => said(`message ${index}`))
    const now = structuredClone(then)
    for (let length = 1; length <= then.length; length += 1) {
      expect(check.compare(call, request(then.slice(0, length)), now.slice(0, length))).toBeUndefined()
    }
    expect([recorded.count, live.count]).toEqual([200, 200])
  })

  it('looks again at a message that is compared with another, or that is no object', () => {
    const live = said('one')
    const check = checkOf()
    expect(check.compare(call, request([said('one')]), [live])).toBeUndefined()
    expect(check.compare(call, request([said('two')]), [live])).toMatchObject({ recorded: 'two' })
    expect(check.compare(call, request([said('one'), said('one')]), [live, live])).toBeUndefined()
    expect(check.compare(call, request([said('one'), said('two')]), [live, live])).toMatchObject({
      path: 'messages[1].content[0].text',
    })
    expect(check.compare(call, request(['text']), ['text'])).toBeUndefined()
    expect(check.compare(call, request(['text']), ['other'])).toMatchObject({ live: 'other' })
    expect(check.compare(call, request([null]), [null])).toBeUndefined()
  })

  it('looks again at a message that somebody has changed since', () => {
    const check = checkOf()
    const live = [said('one'), said('two')] as JsonObject[]
    const recorded = request([said('one'), said('two')])
    expect(check.compare(call, recorded, live)).toBeUndefined()
    expect(check.compare(call, recorded, live)).toBeUndefined()
    Object.assign(live[0] ?? {}, { content: [{ type: 'text', text: 'none' }] })
    expect(driftOf(check, recorded, live)).toMatchObject({
      path: 'messages[0].content[0].text',
      recorded: 'one',
      live: 'none',
    })
  })

  it('takes the messages of a difference for equal once it is accepted, and no others', () => {
    const check = checkOf()
    const recorded = request(history)
    const live = [said('won'), replied('too'), said('three')]
    const first = driftOf(check, recorded, live)
    expect(first.path).toBe('messages[0].content[0].text')
    expect(check.compare(call, recorded, live)).toEqual(first)
    check.accept(first)
    const second = driftOf(check, recorded, live)
    expect(second.path).toBe('messages[1].content[0].text')
    check.accept(second)
    expect(check.compare(call, recorded, live)).toBeUndefined()
    // Another message with the same text is another message.
    expect(check.compare(call, recorded, structuredClone(live))).toEqual(first)
    check.accept(structuredClone(first))
  })

  it('tells of a message that is missing, or one too many, in each request', () => {
    const check = checkOf()
    for (const live of [history.slice(0, 2), [...history, 'more']]) {
      const drift = driftOf(check, request(history), live)
      check.accept(drift)
      expect(check.compare(call, request(history), live)).toEqual(drift)
    }
  })
})

describe('driftError', () => {
  it('says what to do, and has the facts', () => {
    const live = [said('on'), ...history.slice(1)]
    const error = driftError(driftOf(checkOf(), request(history), live, { ...call, purpose: 'x' }))
    expect(error.code).toBe('REPLAY_DRIFT')
    expect(error.message).toBe(
      'session.jsonl: event 10: "x" call 2 of session.jsonl, counted from 0 (turn 4, step 1), differs from its recording at ' +
        'messages[0].content[0].text: recorded "one", now "on". The agent puts something else before its model than the ' +
        'recording says, or the steps or the log were edited. Where that is meant, refresh the scenario (acp-snapshot refresh); where it is ' +
        'another in every run, add a rule of normalisation ("rules", on the command line --rules). To see all that it ' +
        'changes, let the run go on with drift: "report" (on the command line, --drift report).',
    )
    expect(error.details).toEqual({
      script: 'session.jsonl',
      index: 2,
      purpose: 'x',
      path: 'messages[0].content[0].text',
      recorded: 'one',
      live: 'on',
    })
  })
})
