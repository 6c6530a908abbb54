import { describe, expect, it } from 'vitest'
import { parseInputScript } from '../../src/scenario/input-script.ts'
import { STEP_OPS } from '../../src/scenario/step-schema.ts'
import { thrown } from '../support/thrown.ts'

const MAX = 2 ** 31 - 1

/** Parses steps that stand one a line, from line 3 on, after those that open a session. */
function steps(...given: unknown[]) {
  const lines = [{ op: 'initialize' }, { op: 'newSession' }, ...given].map(step => JSON.stringify(step))
  return parseInputScript(`{ "steps": [\n${lines.join(',\n')}\n] }`, 'demo/input.json').steps.slice(2)
}

function problem(...given: unknown[]): string {
  return thrown(() => steps(...given)).message
}

describe('parseInputScript', () => {
  it('gives the same script for its own output', () => {
    const script = parseInputScript(
      '{"steps":[{"op":"newSession"},{"op":"cancel","waitForFile":{"path":"x"}},{"op":"waitForSubagentTurnEnd"}]}',
      'input.json',
    )
    expect(parseInputScript(JSON.stringify(script), 'input.json')).toEqual(script)
    expect(script.steps.slice(1)).toEqual([
      { op: 'cancel', waitForFile: { path: 'x', timeoutMs: 10_000 } },
      { op: 'waitForSubagentTurnEnd', child: 1, minimumTurn: 1, timeoutMs: 10_000 },
    ])
  })

  it('keeps a content block as it is, to the order of its keys', () => {
    const block = { uri: 'file:///a', nested: { z: [1, null] }, type: 'resource_link', name: 'a' }
    expect(JSON.stringify(steps({ op: 'promptContent', content: [block] })[0])).toContain(
      JSON.stringify(block),
    )
  })

  it('reads a long script', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => ({ op: 'prompt', text: String(index) }))
    expect(steps(...many)).toEqual(many)
  })

  it('names an unknown op, the known ones and the nearest', () => {
    const message = problem({ op: 'prompt', text: '' }, { op: 'waitForTurnEnds' })
    expect(message).toMatch(
      /^demo\/input\.json:5:7: steps\[3\]\.op is "waitForTurnEnds"; expected one of the known ops /,
    )
    expect(message).toMatch(/ \(did you mean "waitForTurnEnd"\?\)\. Correct it\.$/)
    for (const op of STEP_OPS) expect(message).toContain(op)
    expect(problem({ op: 'sleep' })).not.toContain('did you mean')
  })

  it.each([
    [{}, 'steps[2].op is missing; expected one of the known ops initialize, '],
    [{ op: 7 }, 'steps[2].op is 7; expected one of the known ops initialize, '],
    ['prompt', 'steps[2] is "prompt"; expected a step: an object with an "op".'],
    [null, 'steps[2] is null; expected a step: an object with an "op".'],
    [{ op: 'prompt' }, 'steps[2].text is missing; expected a string. Add it.'],
    [{ op: 'prompt', text: ['a', 'b'] }, 'steps[2].text is a list of 2; expected a string. Correct it.'],
    [
      { op: 'prompt', text: '', txt: '', 'a-b': 1 },
      'steps[2] has the unknown key "txt", "a-b"; known here: op, text (did you mean "text"?). Rename or remove it.',
    ],
    [
      { op: 'initialize', zzz: 1 },
      'steps[2] has the unknown key "zzz"; known here: op. Rename or remove it.',
    ],
    [
      { op: 'promptContent', content: {} },
      'steps[2].content is an object; expected a list of ACP content blocks.',
    ],
    [
      { op: 'promptContent', content: [{ type: 'text', text: '' }, { text: '' }] },
      'steps[2].content[1] is an object; expected an ACP content block: an object with a string "type".',
    ],
    [{ op: 'promptContent', content: [null] }, 'steps[2].content[0] is null; expected an ACP content block'],
    [
      { op: 'promptContent', content: [{ type: 1 }] },
      'steps[2].content[0] is an object; expected an ACP content block',
    ],
    [{ op: 'promptContent', content: ['x'] }, 'steps[2].content[0] is "x"; expected an ACP content block'],
    [
      { op: 'newSessionExpectError', additionalDirectories: '/a' },
      'steps[2].additionalDirectories is "/a"; expected a list of directories.',
    ],
    [
      { op: 'promptAndWaitForAgentMessage', text: '', waitForText: '' },
      'steps[2].waitForText is ""; expected a non-empty string.',
    ],
    [
      { op: 'waitForTurnStart', minimumTurn: 0 },
      'steps[2].minimumTurn is 0; expected a turn number: an integer from 1.',
    ],
    [
      { op: 'waitForSubagentTurnEnd', child: 1.5 },
      "steps[2].child is 1.5; expected a child's number: an integer from 1.",
    ],
    [{ op: 'signal', name: '' }, 'steps[2].name is ""; expected a non-empty string.'],
    [
      { op: 'cancel', waitForFile: 'x' },
      'steps[2].waitForFile is "x"; expected an object with the keys path, timeoutMs.',
    ],
    [
      { op: 'cancel', waitForFile: { path: 'x', timeoutms: 1 } },
      'steps[2].waitForFile has the unknown key "timeoutms"; known here: path, timeoutMs (did you mean "timeoutMs"?).',
    ],
  ])('refuses %j with file, line and place', (step, expected) => {
    expect(problem(step)).toMatch(/^demo\/input\.json:4:\d+: /)
    expect(problem(step)).toContain(expected)
  })

  it.each([0, -1, 1.5, MAX + 1, 1e300, '100', null, true])('refuses %j as a timeout', timeoutMs => {
    const range = 'expected an integer of milliseconds from 1 to 2147483647'
    expect(problem({ op: 'waitForTurnEnd', timeoutMs })).toContain(`:4:`)
    expect(problem({ op: 'waitForTurnEnd', timeoutMs })).toContain(
      `steps[2].timeoutMs is ${JSON.stringify(timeoutMs)}; ${range}`,
    )
    expect(problem({ op: 'cancel', waitForFile: { path: 'x', timeoutMs } })).toContain(range)
  })

  it('takes the longest timeout', () => {
    expect(steps({ op: 'waitForTurnEnd', timeoutMs: MAX })).toEqual([
      { op: 'waitForTurnEnd', timeoutMs: MAX },
    ])
  })

  it.each([
    ['/etc/passwd', 'it is absolute'],
    ['C:\\x', 'it is absolute'],
    ['a/../../b', 'it has a ".." segment'],
    ['a\\..\\b', 'it has a ".." segment'],
    ['a\0', 'it holds a NUL'],
    ['', 'it names no file'],
  ])('refuses the path %j in each step that has one', (path, reason) => {
    const end = `expected a path relative to the run's working directory and inside it, but ${reason}. Correct it.`
    expect(problem({ op: 'waitForFile', path })).toContain(`steps[2].path is ${JSON.stringify(path)}; ${end}`)
    expect(problem({ op: 'cancel', waitForFile: { path } })).toContain(`steps[2].waitForFile.path is`)
    expect(problem({ op: 'promptAndCancel', text: '', waitForFile: { path } })).toContain(end)
  })

  it.each(STEP_OPS.filter(op => /^prompt|^cancel|^waitFor(?!File)/.test(op)))(
    'refuses %s before a session',
    op => {
      const fields = { text: 'x', content: [], waitForText: 'x', phase: 'x', type: 'x' }
      const known: Record<string, string[]> = {
        promptContent: ['content'],
        promptAndWaitForAgentMessage: ['text', 'waitForText'],
        waitForInboxMessage: ['text'],
        waitForGoalPhase: ['phase'],
        waitForEventAfterTurnEnd: ['type'],
      }
      const keys = known[op] ?? (op.startsWith('prompt') ? ['text'] : [])
      const step = JSON.stringify({
        op,
        ...Object.fromEntries(Object.entries(fields).filter(([key]) => keys.includes(key))),
      })
      const from = (...lines: string[]) =>
        parseInputScript(`{"steps":[\n${lines.join(',\n')}\n]}`, 'input.json')
      const [initialize, refused, opened] = ['initialize', 'newSessionExpectError', 'newSession'].map(
        op => `{"op":"${op}"}`,
      )

      expect(thrown(() => from(step)).message).toBe(
        `input.json:2:1: steps[0] is "${op}", which needs a session, and no step before it opens one. ` +
          'Put { "op": "initialize" }, { "op": "newSession" } before it.',
      )
      expect(thrown(() => from(String(initialize), String(refused), step, String(opened))).message).toBe(
        `input.json:4:1: steps[2] is "${op}", which needs a session, and no step before it opens one. ` +
          'Put { "op": "newSession" } before it.',
      )
      expect(thrown(() => from(step, String(initialize))).message).toContain('Put { "op": "initialize" }, ')
      expect(from(String(opened), step).steps).toHaveLength(2)
    },
  )

  it('lets the steps that need no session come before one', () => {
    const text =
      '{"steps":[{"op":"initialize"},{"op":"waitForFile","path":"a"},{"op":"signal","name":"go"},{"op":"newSessionExpectError"}]}'
    expect(parseInputScript(text, 'input.json').steps).toHaveLength(4)
  })

  it.each([
    [
      '[]',
      'input.json:1:1: the document is a list of 0; expected an object with the keys steps, permissionAnswers.',
    ],
    ['{}', 'input.json:1:1: steps is missing; expected a list of steps. Add it.'],
    ['{"steps":{}}', 'input.json:1:10: steps is an object; expected a list of steps.'],
    [
      '{"steps":[],\n"step":1}',
      'input.json:2:8: the document has the unknown key "step"; known here: steps, perm',
    ],
    [
      '{"steps":[],"permissionAnswers":[\n{"kind":"yes"}]}',
      'input.json:2:9: permissionAnswers[0].kind is "yes"; expected one of allow_once, allow_always, reject_once, reject_always.',
    ],
    [
      '{"steps":[],"permissionAnswers":[{"kind":"allow_once","id":1}]}',
      'permissionAnswers[0] has the unknown key "id"',
    ],
    [
      '{"steps":[],"permissionAnswers":1}',
      'permissionAnswers is 1; expected a list of answers, each { "kind" }.',
    ],
    ['{"steps":[\n{"op":"initialize"},]}', 'input.json:2:21: not valid JSON: expected a value, found "]".'],
  ])('refuses the document %s', (document, expected) => {
    const error = thrown(() => parseInputScript(document, 'input.json'))
    expect(error.code).toBe('SCENARIO_INVALID')
    expect(error.message).toContain(expected)
  })

  it('lists the first ten flaws, each with its line, and counts the rest', () => {
    const error = thrown(() => steps(...Array.from({ length: 13 }, () => ({ op: 'prompt' }))))
    const lines = error.message.split('\n')
    expect(lines).toHaveLength(11)
    expect(lines[9]).toBe('demo/input.json:13:1: steps[11].text is missing; expected a string. Add it.')
    expect(lines[10]).toBe('… and 3 more in demo/input.json')
    expect(error.details).toMatchObject({ file: 'demo/input.json' })
    expect(error.details.issues).toHaveLength(10)
  })

  it('shortens a long value', () => {
    const message = problem({ op: 'x'.repeat(100_000) })
    expect(message).toContain(`steps[2].op is "${'x'.repeat(60)}"…; expected`)
    expect(message.length).toBeLessThan(1000)
  })
})
