import { describe, expect, it } from 'vitest'
import type { CountFact, Facts } from '../../src/scenario/index.ts'
import { checkFacts } from '../../src/transcript/check-facts.ts'
import { called, evidence, messages, said } from './facts-evidence.ts'

describe('checkFacts', () => {
  it('says nothing where all is as it should be', () => {
    const facts: Facts = {
      modelCalls: 3,
      tools: { bash: 2, read: { min: 1 }, write: 0 },
      onlyTools: ['bash', 'read'],
      toolErrors: [],
      exitCodes: { bash: [0, 2] },
      finalText: { equals: 'Done.' },
      stopReason: 'end_turn',
      files: { 'a.txt': { equals: 'a' }, 'b.txt': { absent: true } },
    }
    const rows = [
      ...called('bash', 'one\n'),
      ...called('read', 'two'),
      ...called('bash', 'x\n[exit code: 2]'),
      said('Done.'),
    ]
    const workspace = new Map([['a.txt', Buffer.from('a')]])
    expect(checkFacts(facts, { ...evidence(rows), modelCalls: 3, workspace })).toEqual([])
    expect(checkFacts(undefined, evidence(rows))).toEqual([])
  })

  it('lists all that is broken, in the order of the file', () => {
    const facts: Facts = {
      files: { 'a.txt': { absent: true } },
      stopReason: 'cancelled',
      finalText: { matches: '^Done' },
      exitCodes: { bash: [1] },
      toolErrors: [],
      onlyTools: ['read'],
      tools: { read: 1, bash: 2 },
      modelCalls: 1,
    }
    const rows = [...called('bash', 'one\n'), ...called('edit', 'bad', { isError: true }), said('No.')]
    const workspace = new Map([['a.txt', Buffer.from('a')]])
    const differences = checkFacts(facts, { ...evidence(rows), modelCalls: 2, workspace })
    expect(differences.map(({ message }) => message)).toEqual([
      'facts.json modelCalls: expected 1, found 2',
      'facts.json tools.read: expected 1, found 0',
      'facts.json tools.bash: expected 2, found 1 (session.jsonl event 0)',
      'facts.json onlyTools: expected only "read", found "bash" (session.jsonl event 0)',
      'facts.json onlyTools: expected only "read", found "edit" (session.jsonl event 2)',
      'facts.json toolErrors: expected no error of "edit", found one (session.jsonl event 3)',
      'facts.json exitCodes.bash: expected [1], found [0] (session.jsonl event 0)',
      'facts.json finalText.matches: expected a match of /^Done/, found "No." (session.jsonl event 4)',
      'facts.json stopReason: expected "cancelled", found "end_turn"',
      'facts.json files["a.txt"].absent: expected no file, found a file of 1 bytes',
    ])
    expect(differences[2]).toEqual({
      surface: 'facts.json',
      index: -1,
      path: 'tools.bash',
      expected: 2,
      actual: 1,
      message: 'facts.json tools.bash: expected 2, found 1 (session.jsonl event 0)',
    })
  })
})

describe('modelCalls', () => {
  it.each<[CountFact, number, string | undefined]>([
    [2, 2, undefined],
    [2, 3, 'expected 2, found 3'],
    [0, 1, 'expected 0, found 1'],
    [{}, 7, undefined],
    [{ min: 2 }, 2, undefined],
    [{ min: 2 }, 1, 'expected at least 2, found 1'],
    [{ max: 2 }, 2, undefined],
    [{ max: 2 }, 3, 'expected at most 2, found 3'],
    [{ min: 2, max: 4 }, 4, undefined],
    [{ min: 2, max: 4 }, 5, 'expected 2 to 4, found 5'],
  ])('%j, of %i calls: %s', (fact, modelCalls, told) => {
    const found = checkFacts({ toolErrors: [], modelCalls: fact }, { ...evidence([]), modelCalls })
    expect(found.map(({ message }) => message)).toEqual(
      told === undefined ? [] : [`facts.json modelCalls: ${told}`],
    )
  })
})

describe('stopReason', () => {
  it('is missing where no prompt was answered', () => {
    expect(
      messages({ toolErrors: [], stopReason: 'end_turn' }, { ...evidence([]), stopReason: undefined }),
    ).toEqual(['facts.json stopReason: expected "end_turn", found nothing'])
  })
})
