import { describe, expect, it } from 'vitest'
import { lineageOf, normalizeLineage, type SessionLineage } from '../../src/llm-replay/lineage.ts'
import type { JsonObject } from '../../src/session-log/types.ts'
import { createNormalizer } from '../../src/transcript/index.ts'
import { eventsOf, said, stepRows, stepStart, userRow } from './conversation.ts'
import { answer, callRows, type Row } from './logs.ts'

const described = (label?: unknown): Row => ['subagent/descriptor', { label } as JsonObject]

function lineage(
  rows: readonly Row[],
  header: { parentSession?: string; seedLength?: number } = {},
): SessionLineage {
  return lineageOf({ header, events: eventsOf(rows) })
}

describe('lineageOf', () => {
  it('is nothing where nothing is said', () => {
    expect(lineage([])).toStrictEqual({})
    expect(lineage([['turn/start', { turn: 1 }], described(), described(7)])).toStrictEqual({})
  })

  it('is parent, label and prompt', () => {
    const rows = [described('Water'), ...stepRows(1, 'Name a sea.', 'Baltic')]
    expect(lineage(rows, { parentSession: 'p' })).toStrictEqual({
      parent: 'p',
      label: 'Water',
      prompt: 'Name a sea.',
    })
  })

  it('has the working directory of the header', () => {
    expect(lineageOf({ header: { cwd: '/run/cwd' }, events: [] })).toStrictEqual({ cwd: '/run/cwd' })
  })

  it('takes the first prompt of a user, whatever a plugin has put before it', () => {
    const rows = [userRow('rules', 'plugin'), userRow('first'), userRow('second')]
    expect(lineage(rows).prompt).toBe('first')
  })

  it('takes what only looks like a prompt for none', () => {
    expect(lineage([['note/written', said('note')], userRow('first')]).prompt).toBe('first')
  })

  it('takes the first message where none is from a user', () => {
    expect(lineage([userRow('goal', 'goal'), userRow('rules', 'plugin')]).prompt).toBe('goal')
    expect(lineage([['user/message', { content: [{ text: 'from nobody' }] }, 'append']]).prompt).toBe(
      'from nobody',
    )
    const odd: Row = ['user/message', { content: [{ text: 'odd' }], source: 'user' }, 'append']
    expect(lineage([odd, userRow('first')]).prompt).toBe('first')
    const none: Row = ['user/message', { content: [{ text: 'odd' }], source: null }, 'append']
    expect(lineage([none, userRow('first')]).prompt).toBe('first')
    const unkind: Row = ['user/message', { content: [{ text: 'odd' }], source: {} }, 'append']
    expect(lineage([unkind, userRow('first')]).prompt).toBe('first')
  })

  it.each([
    ['a call', callRows(1, 1, answer('x'))],
    ['a step without a chunk', [['step/end', { turn: 1, step: 1 }] satisfies Row]],
  ])('takes no prompt that came after %s, since a session alive can have none by then', (_what, rest) => {
    const rows = [stepStart(1, 1), userRow('goal', 'goal'), ...rest]
    expect(lineage([...rows, userRow('later')]).prompt).toBe('goal')
    expect(lineage(rows).prompt).toBe('goal')
  })

  it('takes a prompt that came after a turn without a step', () => {
    const rows: Row[] = [
      ['turn/start', { turn: 1 }],
      ['turn/end', { turn: 1, reason: { kind: 'blocked' } }],
      userRow('again'),
    ]
    expect(lineage(rows).prompt).toBe('again')
  })

  it('joins the texts of a prompt, and takes what has none for empty', () => {
    const content = [
      { type: 'text', text: 'one' },
      'x',
      null,
      { type: 'image' },
      { text: 7 },
      { type: 'text', text: 'two' },
    ]
    expect(lineage([['user/message', { ...said(''), content }, 'append']]).prompt).toBe('one\ntwo')
    expect(lineage([['user/message', { ...said(''), content: [] }, 'append'], userRow('next')]).prompt).toBe(
      '',
    )
    expect(lineage([['user/message', { ...said(''), content: 'x' }, 'append'], userRow('next')]).prompt).toBe(
      'next',
    )
  })

  it("leaves a fork's inherited prompts aside, and takes its own label, also from within what it began with", () => {
    const seed = [described('parent'), ...stepRows(1, 'old', 'x')]
    const fork = [...seed, described('own'), userRow('new')]
    const header = { parentSession: 'p', seedLength: seed.length }
    expect(lineage(fork, header)).toStrictEqual({ parent: 'p', label: 'own', prompt: 'new' })
    expect(lineage(fork, { seedLength: seed.length + 1 })).toStrictEqual({ label: 'own', prompt: 'new' })
    expect(lineage([...seed, userRow('new')], { seedLength: seed.length }).label).toBe('parent')
    expect(lineage([...seed, described(), userRow('new')], { seedLength: seed.length })).toStrictEqual({
      prompt: 'new',
    })
  })

  it('has no label that came later than the prompt', () => {
    expect(lineage([userRow('a'), described('late')])).toStrictEqual({ prompt: 'a' })
  })
})

describe('normalizeLineage', () => {
  const normalizer = createNormalizer({ cwds: ['/run/cwd'], sessionIds: ['s-1'] })

  it('puts tokens into label and prompt, leaves the parent as it is, and the working directory out', () => {
    const given = { parent: 's-1', label: 'of s-1', prompt: 'in /run/cwd/a', cwd: '/run/cwd' }
    expect(normalizeLineage(given, normalizer)).toStrictEqual({
      parent: 's-1',
      label: 'of {{sessionId}}',
      prompt: 'in {{cwd}}/a',
    })
  })

  it('adds nothing', () => {
    expect(normalizeLineage({}, normalizer)).toStrictEqual({})
  })
})
