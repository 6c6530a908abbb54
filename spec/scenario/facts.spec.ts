import { describe, expect, it } from 'vitest'
import type { Facts } from '../../src/scenario/index.ts'
import { parseFacts } from '../../src/scenario/index.ts'
import { thrown } from '../support/thrown.ts'

const full: Facts = {
  modelCalls: 2,
  tools: { bash: { min: 1, max: 1 }, read: 0, write: { min: 2 }, constructor: { max: 3 }, edit: {} },
  onlyTools: ['bash', 'read'],
  toolErrors: [{ tool: 'bash' }, { tool: 'read', code: 'ENOENT' }],
  exitCodes: { bash: [0, -1, 127] },
  finalText: { equals: '' },
  stopReason: 'end_turn',
  files: {
    'gone.txt': { absent: true },
    'a/b.txt': { equals: '' },
    c: { contains: 'x' },
    d: { matches: '^(?<word>\\w+)\\n$' },
  },
}

function problem(facts: unknown): string {
  return thrown(() => parseFacts(JSON.stringify(facts), 'demo/facts.json')).message
}

describe('parseFacts', () => {
  it('reads back what was written', () => {
    expect(parseFacts(JSON.stringify(full, null, 2), 'facts.json')).toEqual(full)
    expect(parseFacts('{"finalText":{"matches":"a|b"}}', 'facts.json').finalText).toEqual({ matches: 'a|b' })
  })

  it('allows no tool error where none is named', () => {
    expect(parseFacts('{}', 'facts.json')).toEqual({ toolErrors: [] })
  })

  it('names the line', () => {
    const text = JSON.stringify({ modelCalls: 1, files: { a: { matches: '(' } } }, null, 2)
    expect(thrown(() => parseFacts(text, 'demo/facts.json')).message).toBe(
      'demo/facts.json:5:18: files.a.matches is "("; ' +
        'expected a JavaScript regular expression (without slashes and flags). Correct it.',
    )
  })

  it.each([
    [
      { modelCall: 1 },
      'the document has the unknown key "modelCall"; known here: modelCalls, tools, onlyTools,',
    ],
    [
      { modelCalls: '2' },
      'modelCalls is "2"; expected a count: an integer from 0, or { "min"?, "max"? } of them.',
    ],
    [{ modelCalls: 1.5 }, 'modelCalls is 1.5; expected'],
    [{ modelCalls: -1 }, 'modelCalls is -1; expected an integer from 0.'],
    [{ modelCalls: { min: -1 } }, 'modelCalls.min is -1; expected an integer from 0.'],
    [
      { modelCalls: { min: 3, max: 2 } },
      'modelCalls is an object; expected a "min" that is not above "max".',
    ],
    [{ tools: { bash: { least: 1 } } }, 'tools.bash has the unknown key "least"; known here: min, max.'],
    [{ tools: [] }, 'tools is a list of 0; expected an object of counts by tool name.'],
    [{ tools: { '': 1 } }, 'tools has the key ""; expected a non-empty string. Rename or remove it.'],
    [{ onlyTools: 'bash' }, 'onlyTools is "bash"; expected a list of tool names.'],
    [{ onlyTools: [''] }, 'onlyTools[0] is ""; expected a non-empty string.'],
    [{ toolErrors: {} }, 'toolErrors is an object; expected a list of { "tool", "code"? }.'],
    [{ toolErrors: [{ code: 'X' }] }, 'toolErrors[0].tool is missing; expected a non-empty string. Add it.'],
    [{ exitCodes: 0 }, 'exitCodes is 0; expected an object of lists of exit codes by tool name.'],
    [{ exitCodes: { bash: 0 } }, 'exitCodes.bash is 0; expected a list of exit codes.'],
    [{ exitCodes: { bash: [0.5] } }, 'exitCodes.bash[0] is 0.5; expected an integer.'],
    [
      { finalText: 'DONE' },
      'finalText is "DONE"; expected exactly one of { "equals": text } and { "matches":',
    ],
    [{ finalText: { equals: 'a', matches: 'a' } }, 'finalText is an object; expected exactly one of'],
    [{ finalText: { matches: '[' } }, 'finalText.matches is "["; expected a JavaScript regular expression'],
    [{ stopReason: '' }, 'stopReason is ""; expected a non-empty string.'],
    [{ files: [] }, 'files is a list of 0; expected an object by path.'],
    [
      { files: { '../a': { absent: true } } },
      'files has the key "../a"; expected a path relative to the run\'s working',
    ],
    [{ files: { '/a': { absent: true } } }, 'and inside it, but it is absolute. Rename or remove it.'],
    [
      { files: { a: { absent: false } } },
      'files.a is an object; expected exactly one of { "absent": true }, ',
    ],
    [{ files: { a: {} } }, 'files.a is an object; expected exactly one of { "absent": true }, '],
    [{ files: { a: { equals: '', contains: '' } } }, 'files.a is an object; expected exactly one of'],
  ])('refuses %j', (facts, expected) => {
    expect(problem(facts)).toMatch(/^demo\/facts\.json:1:\d+: /)
    expect(problem(facts)).toContain(expected)
  })
})
