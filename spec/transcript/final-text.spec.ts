import { describe, expect, it } from 'vitest'
import type { Facts, TextFact } from '../../src/scenario/index.ts'
import { checkFacts } from '../../src/transcript/check-facts.ts'
import { evidence, messages, said, saidIn, type Row } from './facts-evidence.ts'
import { sessionLog } from './logs.ts'

describe('finalText', () => {
  it.each<[string, readonly Row[], string]>([
    ['the last message', [said('One.'), said('Two.'), ['turn/end', { turn: 1 }]], 'Two.'],
    [
      'its texts as one',
      [saidIn({ type: 'text', text: 'One,' }, { type: 'text', text: ' two.' })],
      'One, two.',
    ],
    [
      'no reasoning and no tool call',
      [
        saidIn(
          { type: 'reasoning', text: 'Hm.' },
          { type: 'text', text: 'Yes.' },
          { type: 'tool-call', name: 'x' },
        ),
      ],
      'Yes.',
    ],
    ['the last that has any', [said('One.'), saidIn({ type: 'tool-call', name: 'x' }), said('')], 'One.'],
    ['nothing where there is none', [saidIn({ type: 'reasoning', text: 'Hm.' })], ''],
  ])('is %s', (_what, rows, text) => {
    expect(checkFacts({ toolErrors: [], finalText: { equals: text } }, evidence(rows))).toEqual([])
  })

  it("is the primary session's", () => {
    const logs = [
      { name: 'session.jsonl', log: sessionLog([said('Mine.')]) },
      { name: 'session.1.jsonl', log: sessionLog([said('Its.')]) },
    ]
    expect(checkFacts({ toolErrors: [], finalText: { equals: 'Mine.' } }, { ...evidence([]), logs })).toEqual(
      [],
    )
  })

  it('shows long texts around their first difference', () => {
    const start = 'a'.repeat(300)
    const end = 'z'.repeat(300)
    const [difference] = finalText({ equals: `${start}1${end}` }, `${start}2${end}`)
    expect(difference).toMatchObject({
      path: 'finalText.equals',
      expected: `${start}1${end}`,
      actual: `${start}2${end}`,
    })
    expect(difference?.message).toMatch(
      /^facts\.json finalText\.equals: expected "…a{26}1z{53}…", found "…a{26}2z{53}…" \(/,
    )
  })

  it.each<[TextFact, string | undefined]>([
    [{ matches: 'wor' }, undefined],
    [{ matches: '^wor' }, 'matches: expected a match of /^wor/, found "hello world"'],
    [{ equals: 'hello' }, 'equals: expected "hello", found "hello world"'],
  ])('%j', (fact, told) => {
    expect(finalText(fact, 'hello world').map(({ message }) => message)).toEqual(
      told === undefined ? [] : [`facts.json finalText.${told} (session.jsonl event 0)`],
    )
  })

  it('is said in no place where there is none', () => {
    const told = 'facts.json finalText.equals: expected "x", found ""'
    const facts: Facts = { toolErrors: [], finalText: { equals: 'x' } }
    expect(messages(facts, evidence([]))).toEqual([told])
    expect(messages(facts, { ...evidence([]), logs: [] })).toEqual([told])
  })

  it('is not looked through for ever', () => {
    const text = `${'a'.repeat(60)}b`
    const [difference] = finalText({ matches: '(a+)+$' }, text)
    expect(difference).toMatchObject({ expected: '(a+)+$', actual: text })
    expect(difference?.message).toBe(
      'facts.json finalText.matches: expected a match of /(a+)+$/, found no end of the search in 61 characters: it took too ' +
        'long. Repeat no repetition in the pattern (session.jsonl event 0)',
    )
  })
})

function finalText(fact: TextFact, text: string): ReturnType<typeof checkFacts> {
  return checkFacts({ toolErrors: [], finalText: fact }, evidence([said(text)]))
}
