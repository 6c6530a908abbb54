import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject, SessionLog } from '../../src/session-log/types.ts'
import { compareIdentities, type IdentityPair } from '../../src/transcript/compare-identities.ts'
import type { Difference } from '../../src/transcript/difference.ts'
import type { NormalizeContext } from '../../src/transcript/normalize-context.ts'
import { stdoutOf } from './generated.ts'
import { sessionLog } from './logs.ts'

/** A UUID that ends in a letter and a number; recorded ones have another letter than live ones. */
const recorded = (n: number) => `3f2504e0-4f89-41d3-9a0c-0000000000a${n}`
const live = (n: number) => `3f2504e0-4f89-41d3-9a0c-0000000000b${n}`
const [A, B, C] = [recorded(1), recorded(2), recorded(3)]
const [a, b, c] = [live(1), live(2), live(3)]
const zero = '00000000-0000-0000-0000-000000000000'

const nothing: NormalizeContext = { cwds: [], sessionIds: [] }

type Text = readonly [expected: string, actual: string]

/** A log on both sides: its id, then one text for each event. */
function logPair(
  [id, liveId]: Text,
  texts: readonly Text[] = [],
  name = 'session.jsonl',
): IdentityPair<SessionLog> {
  const side = (own: string, at: 0 | 1): SessionLog =>
    sessionLog(
      texts.map(pair => ['user/message', { text: pair[at] }] as const),
      { id: own },
    )
  return {
    name,
    expected: { raw: side(id, 0), context: nothing },
    actual: { raw: side(liveId, 1), context: nothing },
    equal: texts.length,
  }
}

function stdoutPair(pairs: readonly (readonly [JsonObject, JsonObject])[]): IdentityPair<string> {
  const side = (at: 0 | 1) => ({ raw: stdoutOf(pairs.map(pair => pair[at])), context: nothing })
  return { name: 'stdout', expected: side(0), actual: side(1), equal: pairs.length }
}

function messagesOf(...logs: readonly IdentityPair<SessionLog>[]): string[] {
  return compareIdentities({ logs }).map(({ message }) => message)
}

describe('ids that map one to one', () => {
  it('go together through headers, events and standard output', () => {
    const primary = logPair([A, a], [[`of ${B}, ${C} and ${A}`, `of ${b}, ${c} and ${a}`]])
    const child = logPair([B, b], [[C.toUpperCase(), c.toUpperCase()]], 'session.1.jsonl')
    const stdout = stdoutPair([[{ params: { list: [C, 1, null] } }, { params: { list: [c, 1, null] } }]])
    expect(compareIdentities({ logs: [primary, child], stdout })).toEqual([])
  })

  it('are none where nothing was compared', () => {
    expect(compareIdentities({ logs: [] })).toEqual([])
  })
})

describe('a contradiction', () => {
  it('is an id where the run has another than before', () => {
    expect(compareIdentities({ logs: [logPair([A, a], [[`plan ${A}`, `plan ${b}`]])] })).toEqual<
      Difference[]
    >([
      {
        surface: 'ids of session.jsonl',
        index: 0,
        path: 'data.text',
        expected: a,
        actual: b,
        message:
          'session.jsonl event 0 data.text names another one than its recording: the recording has ' +
          `${A} here, which is ${a} in this run since session.jsonl header id; found ${b}`,
      },
    ])
  })

  it('is an id that the run has for two', () => {
    expect(
      compareIdentities({
        logs: [
          logPair(
            [A, a],
            [
              [B, b],
              [C, b],
            ],
          ),
        ],
      }),
    ).toEqual<Difference[]>([
      {
        surface: 'ids of session.jsonl',
        index: 1,
        path: 'data.text',
        expected: 'an id of its own',
        actual: b,
        message:
          'session.jsonl event 1 data.text names another one than its recording: the recording has ' +
          `${C} here and ${B} at session.jsonl event 0 data.text; this run has ${b} for both`,
      },
    ])
  })

  it('is two ids that have changed places', () => {
    expect(
      messagesOf(
        logPair(
          [A, a],
          [
            [B, b],
            [`${A} ${B}`, `${b} ${a}`],
          ],
        ),
      ),
    ).toEqual([expect.stringMatching(/^session\.jsonl event 1 data\.text names another one/)])
  })

  it('is a parent that is another session', () => {
    const child = (parentSession: string): IdentityPair<SessionLog> => {
      const pair = logPair([C, c], [], 'session.2.jsonl')
      const withParent = (raw: SessionLog, parent: string) => ({
        ...raw,
        header: { ...raw.header, parentSession: parent },
      })
      return {
        ...pair,
        expected: { ...pair.expected, raw: withParent(pair.expected.raw, A) },
        actual: { ...pair.actual, raw: withParent(pair.actual.raw, parentSession) },
      }
    }
    const others = [logPair([A, a]), logPair([B, b], [], 'session.1.jsonl')]
    expect(messagesOf(...others, child(a))).toEqual([])
    expect(compareIdentities({ logs: [...others, child(b)] })).toMatchObject([
      { surface: 'ids of session.2.jsonl', index: -1, path: 'parentSession', expected: a, actual: b },
    ])
  })

  it('is told between a log and a later header, as of the log', () => {
    const primary = logPair([A, a], [[`child ${B}`, `child ${c}`]])
    expect(messagesOf(primary, logPair([B, b], [], 'session.1.jsonl'))).toEqual([
      expect.stringMatching(/^session\.jsonl event 0 .+ since session\.1\.jsonl header id; found/),
    ])
  })

  it('is told once for each surface', () => {
    const primary = logPair(
      [A, a],
      [
        [A, b],
        [A, c],
      ],
    )
    const stdout = stdoutPair([
      [{ params: { id: B } }, { params: { id: b } }],
      [{ params: { x: [{ 'y z': `on ${A}!` }] } }, { params: { x: [{ 'y z': `on ${b}!` }] } }],
    ])
    expect(compareIdentities({ logs: [primary], stdout }).map(({ message }) => message)).toEqual([
      expect.stringMatching(/^session\.jsonl event 0 /),
      expect.stringMatching(/^stdout frame 2 params\.x\[0\]\["y z"\] names another one/),
    ])
  })
})

describe('what says nothing', () => {
  it.each(['{{sessionId}}', zero])('is the recorded id %s, which stands for any one', id => {
    expect(
      messagesOf(
        logPair(
          [id, a],
          [
            [`${id} ${id}`, `${b} ${c}`],
            [A, b],
          ],
        ),
      ),
    ).toEqual([])
  })

  it('is an id that is the recorded one to the letter', () => {
    expect(
      messagesOf(
        logPair(
          [A, a],
          [
            [A, A],
            [`so ${A}`, `so ${a}`],
          ],
        ),
      ),
    ).toEqual([])
  })

  it('is a parent of one side alone', () => {
    const pair = logPair([A, a])
    const raw = { ...pair.actual.raw, header: { ...pair.actual.raw.header, parentSession: a } }
    expect(messagesOf({ ...pair, actual: { ...pair.actual, raw } })).toEqual([])
    expect(messagesOf({ ...pair, expected: { ...pair.actual, raw } })).toEqual([])
  })

  it('is an id in a path that a token stands for', () => {
    const context = (cwd: string): NormalizeContext => ({ cwds: [cwd], sessionIds: [] })
    const pair = logPair([A, a], [[`/x/${A}/f of ${B}`, `/y/${b}/f of ${b}`]])
    const expected = { ...pair.expected, context: context(`/x/${A}`) }
    const actual = { ...pair.actual, context: context(`/y/${b}`) }
    expect(messagesOf({ ...pair, expected, actual })).toEqual([])
    expect(messagesOf(pair)).not.toEqual([])
  })

  it('is what comes after the first difference', () => {
    const pair = logPair(
      [A, a],
      [
        [A, a],
        [A, b],
      ],
    )
    expect(messagesOf({ ...pair, equal: 1 })).toEqual([])
    const stdout = stdoutPair([
      [{ n: A }, { n: a }],
      [{ n: A }, { n: b }],
    ])
    expect(compareIdentities({ logs: [], stdout: { ...stdout, equal: 1 } })).toEqual([])
    expect(compareIdentities({ logs: [], stdout })).toHaveLength(1)
  })

  it('is a place where only one side has ids, or has none at all', () => {
    const pair = logPair(
      [A, a],
      [
        ['none', b],
        [`${A} ${B}`, `${c} here`],
        ['x', 'x'],
      ],
    )
    expect(messagesOf(pair)).toEqual([])
    const data = { list: [A], object: { x: A }, gone: A, none: null }
    const odd = { list: b, object: null, none: b }
    const expected = {
      ...pair.expected,
      raw: sessionLog(
        [
          ['x', data],
          ['x', { text: A }],
        ],
        { id: A },
      ),
    }
    const actual = { ...pair.actual, raw: sessionLog([['x', odd]], { id: a }) }
    expect(messagesOf({ ...pair, expected, actual, equal: 2 })).toEqual([])
  })

  it('is a frame that the run does not have', () => {
    const pair = stdoutPair([[{ n: A }, { n: a }]])
    const expected = { ...pair.expected, raw: stdoutOf([{ n: A }, { n: A }]) }
    expect(compareIdentities({ logs: [], stdout: { ...pair, expected, equal: Infinity } })).toEqual([])
  })
})

it('knows short ids by the context of their side', () => {
  const pair = (liveText: string): IdentityPair<SessionLog> => {
    const made = logPair(['s-1', 'run-7'], [['s-1 and s-10', liveText]])
    return {
      ...made,
      expected: { ...made.expected, context: { cwds: [], sessionIds: ['s-1', 's-2'] } },
      actual: { ...made.actual, context: { cwds: [], sessionIds: ['run-7', 'run-8'] } },
    }
  }
  expect(messagesOf(pair('run-7 and s-10'))).toEqual([])
  expect(messagesOf(pair('run-8 and s-10'))).toEqual([
    expect.stringMatching(/the recording has s-1 here, which is run-7 .+; found run-8$/),
  ])
})

it('hears of standard output by itself where it goes together with its recording', () => {
  const opened = { id: 1, result: { sessionId: '{{sessionId}}' } }
  const said = { method: 'session/update', params: { sessionId: '{{sessionId}}' } }
  const stdout = stdoutPair([
    [opened, { id: 1, result: { sessionId: a } }],
    [said, { method: 'session/update', params: { sessionId: b } }],
  ])
  expect(compareIdentities({ logs: [], stdout })).toMatchObject([
    { surface: 'ids of stdout', index: 1, path: 'params.sessionId', expected: a, actual: b },
  ])
})

describe('any set of logs and output', () => {
  const words = fc.array(fc.oneof(fc.nat(5), fc.constantFrom('of', 'plan-', '/s/', '"', '.')), {
    maxLength: 5,
  })
  const sets = fc.record({
    logs: fc.array(
      fc.record({ id: fc.nat(5), parent: fc.option(fc.nat(5)), texts: fc.array(words, { maxLength: 4 }) }),
      {
        minLength: 1,
        maxLength: 3,
      },
    ),
    frames: fc.array(words, { maxLength: 4 }),
    names: fc.shuffledSubarray([1, 2, 3, 4, 5, 6], { minLength: 6 }),
  })
  type IdSet = typeof sets extends fc.Arbitrary<infer T> ? T : never

  /** Where an id stands, and how it is spelled there: the n-th is `spell(id, n)`. */
  function write({ logs, frames }: IdSet, spell: (id: number, nth: number) => string) {
    const places: { readonly id: number; readonly place: string }[] = []
    const at = (id: number, place: string): string => spell(id, places.push({ id, place }) - 1)
    const name = (n: number) => (n === 0 ? 'session.jsonl' : `session.${n}.jsonl`)
    const textOf = (list: readonly (number | string)[], place: string) =>
      list.map(word => (typeof word === 'number' ? at(word, place) : word)).join(' ')
    const headers = logs.map(({ id, parent }, n) => ({
      id: at(id, `${name(n)} header id`),
      ...(parent !== null && { parentSession: at(parent, `${name(n)} header parentSession`) }),
    }))
    const raw = logs.map(({ texts }, n) =>
      sessionLog(
        texts.map((text, seq) => ['x', { text: textOf(text, `${name(n)} event ${seq} data.text`) }] as const),
        headers[n],
      ),
    )
    const stdout = stdoutOf(
      frames.map((text, index) => ({
        params: { text: textOf(text, `stdout frame ${index + 1} params.text`) },
      })),
    )
    return { raw, stdout, places, name }
  }

  function compare(set: IdSet, spell: (id: number, nth: number) => string): Difference[] {
    const was = write(set, id => recorded(id))
    const is = write(set, spell)
    return compareIdentities({
      logs: is.raw.map((raw, n) => ({
        name: is.name(n),
        expected: { raw: was.raw[n] ?? raw, context: nothing },
        actual: { raw, context: nothing },
        equal: raw.events.length,
      })),
      stdout: {
        name: 'stdout',
        expected: { raw: was.stdout, context: nothing },
        actual: { raw: is.stdout, context: nothing },
        equal: set.frames.length,
      },
    })
  }

  it('goes together with itself under other ids', () => {
    fc.assert(
      fc.property(sets, set => {
        expect(compare(set, id => live(set.names[id] ?? 0))).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  it('does not where one of several mentions names another, and that place is told', () => {
    let broken = 0
    fc.assert(
      fc.property(sets, fc.nat(), fc.boolean(), (set, seed, unknown) => {
        const { places } = write(set, recorded)
        const several = places.filter(({ id }) => places.filter(other => other.id === id).length > 1)
        const chosen = several[seed % several.length]
        if (chosen === undefined) return
        broken += 1
        const nth = places.indexOf(chosen)
        const other = unknown ? live(9) : live(set.names[(chosen.id + 1) % 6] ?? 0)
        const found = compare(set, (id, at) => (at === nth ? other : live(set.names[id] ?? 0)))
        expect(found.map(({ message }) => message).join('\n')).toContain(chosen.place)
      }),
      { numRuns: 1000 },
    )
    expect(broken).toBeGreaterThan(300)
  })
})
