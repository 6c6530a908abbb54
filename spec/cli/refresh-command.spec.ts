import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { callCli } from '../support/call-cli.ts'
import { dshComposition } from '../support/paths.ts'
import { copyOfBundled, cutOff } from '../support/recording.ts'
import { tempFolder } from '../support/temp-folder.ts'

const refresh = (args: readonly string[], ask?: (question: string) => Promise<boolean>) =>
  callCli(['refresh', ...args, '--composition', dshComposition], undefined, ask)

/** Two scenarios, the first of which expects another answer. */
function twoScenarios() {
  const parent = tempFolder()
  const changed = copyOfBundled('text-turn', parent)
  changed.replace('stdout.expected.jsonl', 'Reykjavik', 'Oslo')
  return { parent, changed, same: copyOfBundled('todo-list', parent) }
}

const expected = ({ changed }: ReturnType<typeof twoScenarios>): string =>
  changed.text('stdout.expected.jsonl')

describe('acp-snapshot refresh', () => {
  it('says what it would write, and writes nothing where nobody can be asked', async () => {
    const given = twoScenarios()
    const { code, out, error } = await refresh([given.parent])
    expect(error).toBe('')
    expect(code).toBe(1)
    expect(out).toMatch(/^new {2}text-turn\n {5}stdout\.expected\.jsonl: changed\n {5}stdout frame 3 differs/)
    expect(out).toMatch(/^same todo-list$/m)
    expect(out).toMatch(/^nothing was written: pass --yes to write 1 file of text-turn$/m)
    expect(out).toMatch(/^0 of 2 scenarios refreshed, 1 unchanged, 0 failed$/m)
    expect(expected(given)).toContain('Oslo')
  })

  it('writes without asking where it may', async () => {
    const given = twoScenarios()
    const { code, out } = await refresh([given.parent, '--yes'])
    expect(out).toMatch(/^1 of 2 scenarios refreshed, 1 unchanged, 0 failed$/m)
    expect(code).toBe(0)
    expect(expected(given)).toContain('Reykjavik')
    expect((await refresh([given.parent])).code).toBe(0)
  })

  it.each([
    [true, 0, 'Reykjavik'],
    [false, 1, 'Oslo'],
  ])('asks whoever is there, whose answer is %s', async (answer, exit, city) => {
    const given = twoScenarios()
    given.same.replace('session.jsonl', '\n', '\r\n')
    given.same.replace('stdout.expected.jsonl', 'end_turn', 'start_turn')
    const questions: string[] = []
    const { code, out } = await refresh([given.parent], question => {
      questions.push(question)
      return Promise.resolve(answer)
    })
    expect(questions).toEqual(['Write 3 files of text-turn, todo-list?'])
    expect(out).toContain('     session.jsonl: changed, only its form')
    expect(out.includes('nothing was written')).toBe(!answer)
    expect(code).toBe(exit)
    expect(expected(given)).toContain(city)
  })

  it('says how many events are new', async () => {
    const { folder, replace } = copyOfBundled('text-turn')
    replace('session.jsonl', /\{"type":"session\/title".*\n/, '')
    const { out } = await refresh([folder])
    expect(out).toContain('session.jsonl: changed, 1 event new, 0 gone')
  })

  it('shows no more of a report than is wanted', async () => {
    const given = twoScenarios()
    const { out } = await refresh([given.parent, 'text-turn', '--max-lines', '1'])
    expect(out.split('\n')).toHaveLength(5)
  })

  it('goes on after one that fails, and writes the others', async () => {
    const given = twoScenarios()
    given.same.replace('session.jsonl', '{', 'broken')
    const { code, out } = await refresh([given.parent, '-y'])
    expect(code).toBe(1)
    expect(out).toMatch(/^FAIL todo-list\n {5}.*session\.jsonl:1: /m)
    expect(out).toMatch(/^1 of 2 scenarios refreshed, 0 unchanged, 1 failed$/m)
    expect(expected(given)).toContain('Reykjavik')
  })

  it('gives one JSON document', async () => {
    const given = twoScenarios()
    const text = {
      scenario: 'text-turn',
      folder: given.changed.folder,
      result: 'changed',
      changes: [{ file: 'stdout.expected.jsonl', kind: 'changed' }],
      report: expect.stringContaining('stdout frame 3 differs') as string,
    }
    const todo = {
      scenario: 'todo-list',
      folder: given.same.folder,
      result: 'unchanged',
      changes: [],
      report: '',
      written: false,
    }
    const first = await refresh([given.parent, '--json'])
    expect(first.code).toBe(1)
    expect(JSON.parse(first.out)).toEqual({
      ok: false,
      written: 0,
      scenarios: [{ ...text, written: false }, todo],
    })
    const second = await refresh([given.parent, '--json', '--yes'])
    expect(second.code).toBe(0)
    expect(JSON.parse(second.out)).toEqual({
      ok: true,
      written: 1,
      scenarios: [{ ...text, written: true }, todo],
    })
    given.same.replace('session.jsonl', '{', 'broken')
    const third = await refresh([given.parent, '--json'])
    expect(JSON.parse(third.out)).toMatchObject({
      ok: false,
      scenarios: [
        {},
        {
          result: 'failed',
          changes: [],
          report: '',
          error: { code: 'SESSION_LOG_INVALID', message: expect.any(String) as string },
        },
      ],
    })
  })

  it('takes rules of normalisation, and ends at an interrupt', async () => {
    const { folder } = copyOfBundled('text-turn')
    const rules = path.join(tempFolder({ 'rules.mjs': 'export const rules = []' }), 'rules.mjs')
    expect((await refresh([folder, '--rules', rules])).code).toBe(0)
    const signal = AbortSignal.abort()
    const call = await callCli(['refresh', folder, '--composition', dshComposition], signal)
    expect(call).toMatchObject({ code: 130, error: 'acp-snapshot: interrupted' })
  })

  it('finishes a write that was cut off', async () => {
    const { folder, text } = copyOfBundled('text-turn')
    const changes = new Map([
      ['stdout.expected.jsonl', text('stdout.expected.jsonl').replace('Reykjavik', 'Oslo')],
    ])
    await cutOff(folder, changes)
    const { out } = await refresh([folder, '--yes'])
    expect(out).toContain('expected "Oslo", found "Reykjavik"')
    expect(out).toContain('1 of 1 scenarios refreshed')
  })

  it('checks the pins of others with those that are about to be written', async () => {
    const parent = tempFolder({
      'suite.json':
        '{ "scenarios": { "text-turn": { "pin": { "prompt": true, "tools": true } }, "bash-turn": {} } }',
    })
    const pinned = copyOfBundled('text-turn', parent)
    copyOfBundled('bash-turn', parent)
    pinned.replace('system-prompt.expected.md', 'coding', 'cooking')
    const { code, out } = await refresh([parent, '--yes'])
    expect(out).toMatch(/^same bash-turn|^new {2}text-turn/m)
    expect(out).toMatch(/^1 of 2 scenarios refreshed, 1 unchanged, 0 failed$/m)
    expect(code).toBe(0)
    expect(pinned.text('system-prompt.expected.md')).toContain('coding')
  })
})
