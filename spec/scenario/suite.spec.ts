import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Suite } from '../../src/scenario/index.ts'
import { parseSuite } from '../../src/scenario/index.ts'
import { thrown } from '../support/thrown.ts'

const full: Suite = {
  composition: '../cordis.yml',
  scenarios: {
    'text-turn': {
      composition: 'other.yml',
      headerClass: 'small',
      pin: { prompt: true, tools: true },
      childPins: { prompt: [1, 2], tools: [] },
      headerChanges: 0,
      overridden: true,
      recorded: false,
      workspaceParent: '/tmp/x',
      workspace: 'memory',
    },
    cancel: { pin: { prompt: 'text-turn', tools: true } },
    bare: {},
  },
}

function problem(suite: unknown): string {
  return thrown(() => parseSuite(JSON.stringify(suite), 'suite.json')).message
}

function ofScenario(scenario: unknown): string {
  return problem({ scenarios: { demo: scenario } })
}

describe('parseSuite', () => {
  it('reads back what was written', () => {
    expect(parseSuite(JSON.stringify(full, null, 2), 'suite.json')).toEqual(full)
    expect(parseSuite('{"scenarios":{}}', 'suite.json')).toEqual({ scenarios: {} })
  })

  it('takes any name of a folder', () => {
    const name = fc
      .string({ minLength: 1 })
      .filter(text => /^[^/\\\0:.][^/\\\0:]*$/.test(text) && text !== '__proto__')
    fc.assert(
      fc.property(fc.uniqueArray(fc.oneof(name, fc.constantFrom('constructor', 'toString'))), names => {
        const scenarios = Object.fromEntries(names.map(name => [name, { headerClass: name }]))
        expect(parseSuite(JSON.stringify({ scenarios }), 'suite.json')).toEqual({ scenarios })
      }),
    )
  })

  it.each([
    ['..', 'it has a ".." segment'],
    ['.', 'it names no file'],
    ['', 'it names no file'],
    ['../x', 'it has a path separator'],
    ['a\\b', 'it has a path separator'],
    ['/etc', 'it has a path separator'],
    ['a\0', 'it holds a NUL'],
  ])('refuses the scenario name %j', (name, reason) => {
    expect(problem({ scenarios: { [name]: {} } })).toBe(
      `suite.json:1:${16 + JSON.stringify(name).length}: scenarios has the key ${JSON.stringify(name)}; ` +
        `expected the name of a folder beside suite.json, but ${reason}. Rename or remove it.`,
    )
  })

  it('names the line of a scenario that is given twice', () => {
    const text = '{"scenarios":{\n"a":{},\n"a":{}}}'
    expect(thrown(() => parseSuite(text, 'suite.json')).message).toContain('suite.json:3:1: not valid JSON')
  })

  it.each([
    [{}, 'scenarios is missing; expected an object by scenario name. Add it.'],
    [{ scenarios: [] }, 'scenarios is a list of 0; expected an object by scenario name.'],
    [
      { scenarios: {}, scenario: {} },
      'the document has the unknown key "scenario"; known here: composition, scenarios (did',
    ],
    [{ scenarios: {}, composition: '' }, 'composition is ""; expected a non-empty string.'],
    [{ scenarios: {}, composition: 'a\0' }, 'composition is "a\\u0000"; expected a path without a NUL.'],
    [
      { scenarios: { 'a-b': { x: 1 } } },
      'scenarios["a-b"] has the unknown key "x"; known here: composition, headerClass,',
    ],
  ])('refuses the document %j', (suite, expected) => {
    expect(problem(suite)).toContain(expected)
  })

  it.each([
    [1, 'scenarios.demo is 1; expected an object with the keys composition, headerClass,'],
    [
      { headerClas: 'x' },
      'scenarios.demo has the unknown key "headerClas"; known here: composition, headerClass,',
    ],
    [{ headerClass: '' }, 'headerClass is ""; expected a non-empty string.'],
    [{ pin: { prompt: true } }, 'pin.tools is missing; expected true or the name of a scenario. Add it.'],
    [
      { pin: { prompt: false, tools: true } },
      'pin.prompt is false; expected true or the name of a scenario.',
    ],
    [
      { childPins: { prompt: [0] } },
      "childPins.prompt[0] is 0; expected a child's number: an integer from 1.",
    ],
    [{ childPins: { tools: 1 } }, 'childPins.tools is 1; expected a list of child numbers, such as [1].'],
    [{ headerChanges: -1 }, 'headerChanges is -1; expected an integer from 0.'],
    [{ overridden: 'yes' }, 'overridden is "yes"; expected true or false.'],
    [{ recorded: 0 }, 'recorded is 0; expected true or false.'],
    [{ workspaceParent: 1 }, 'workspaceParent is 1; expected a non-empty string.'],
    [{ workspace: 'ram' }, 'workspace is "ram"; expected "disk" or "memory".'],
  ])('refuses the scenario %j', (scenario, expected) => {
    expect(ofScenario(scenario)).toContain(expected)
  })

  it('refuses a pin whose source has no sidecar of its own', () => {
    const text = JSON.stringify(
      {
        scenarios: {
          a: { pin: { prompt: true, tools: 'b' } },
          b: { pin: { prompt: 'a', tools: 'nowhere' } },
          c: { pin: { prompt: 'constructor', tools: 'c' } },
          d: {},
        },
      },
      null,
      1,
    )
    const end = 'Name one of them, or put true to keep a sidecar here.'
    const none = `which has no pin with "tools": true; those that have: none in this file. ${end}`
    expect(thrown(() => parseSuite(text, 'suite.json')).message.split('\n')).toEqual([
      `suite.json:6:14: scenarios.a.pin.tools names "b", ${none}`,
      `suite.json:12:14: scenarios.b.pin.tools names "nowhere", ${none}`,
      `suite.json:17:15: scenarios.c.pin.prompt names "constructor", which has no pin with "prompt": true; those that have: a. ${end}`,
      `suite.json:18:14: scenarios.c.pin.tools names "c", ${none}`,
    ])
  })
})
