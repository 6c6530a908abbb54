import { describe, expect, it } from 'vitest'
import type { Facts } from '../../src/scenario/index.ts'
import { checkFacts } from '../../src/transcript/check-facts.ts'
import { called, evidence, messages, type Row } from './facts-evidence.ts'
import { sessionLog } from './logs.ts'

describe('tools', () => {
  it('are counted over all logs, what a fork has inherited aside', () => {
    const inherited = sessionLog([...called('read', 'x'), ...called('read', 'y')], { seedLength: 2 })
    const logs = [
      { name: 'session.jsonl', log: sessionLog(called('read', 'x')) },
      { name: 'session.1.jsonl', log: inherited },
    ]
    const facts: Facts = { toolErrors: [], tools: { read: 2 } }
    expect(checkFacts(facts, { ...evidence([]), logs })).toEqual([])
    expect(messages({ ...facts, tools: { read: 3 } }, { ...evidence([]), logs })).toEqual([
      'facts.json tools.read: expected 3, found 2 (session.jsonl event 0, session.1.jsonl event 2)',
    ])
  })

  it('names some of many places', () => {
    const rows = Array.from({ length: 5 }, () => called('read', 'x')).flat()
    expect(messages({ toolErrors: [], tools: { read: { max: 4 } } }, evidence(rows))).toEqual([
      'facts.json tools.read: expected at most 4, found 5 (session.jsonl event 0, session.jsonl event 2, ' +
        'session.jsonl event 4, and 2 more)',
    ])
  })

  it('may have any name', () => {
    const rows = called('toString', 'x')
    expect(messages({ toolErrors: [], tools: { toString: 1, constructor: 1 } }, evidence(rows))).toEqual([
      'facts.json tools.constructor: expected 1, found 0',
    ])
  })

  it('may be none at all', () => {
    const rows = [...called('read', 'x'), ...called('read', 'x')]
    expect(checkFacts({ toolErrors: [], onlyTools: [] }, evidence([]))).toEqual([])
    const [difference, ...others] = checkFacts({ toolErrors: [], onlyTools: [] }, evidence(rows))
    expect(others).toEqual([])
    expect(difference).toMatchObject({ path: 'onlyTools', expected: [], actual: 'read' })
    expect(difference?.message).toBe(
      'facts.json onlyTools: expected no tool, found "read" (session.jsonl event 0, session.jsonl event 2)',
    )
  })
})

describe('toolErrors', () => {
  const unknown = called('nope', 'unknown tool', {
    isError: true,
    error: { name: 'ToolNotFoundError', code: 'UNKNOWN_TOOL' },
  })
  const aborted = called('bash', '', { isError: true, error: { name: 'AbortError', code: 'TOOL_ABORTED' } })
  const open: readonly Row[] = [['tool/call', { callId: 'open', name: 'bash', arguments: '{}' }]]

  it.each<[string, readonly Row[], Facts['toolErrors'] | undefined, unknown[]]>([
    ['none is named', aborted, [], [{ tool: 'bash', code: 'TOOL_ABORTED' }]],
    ['the tool is named', aborted, [{ tool: 'bash' }], []],
    ['tool and code are named', aborted, [{ tool: 'bash', code: 'TOOL_ABORTED' }], []],
    [
      'another code is named',
      aborted,
      [{ tool: 'bash', code: 'OTHER' }],
      [{ tool: 'bash', code: 'TOOL_ABORTED' }],
    ],
    ['another tool is named', aborted, [{ tool: 'read' }], [{ tool: 'bash', code: 'TOOL_ABORTED' }]],
    [
      'a code is named and the error has none',
      called('bash', 'bad', { isError: true }),
      [{ tool: 'bash', code: 'OTHER' }],
      [{ tool: 'bash' }],
    ],
    ['the harness alone calls it one', called('bash', 'x', { error: {} }), [], [{ tool: 'bash' }]],
    ['it is no error', called('bash', 'x\n[exit code: 1]'), [], []],
    ['there is no result', open, [], []],
    ['there are no facts', aborted, undefined, []],
    ['there are no facts and no such tool', unknown, undefined, [{ tool: 'nope', code: 'UNKNOWN_TOOL' }]],
    [
      'there is no such tool, and that is named',
      unknown,
      [{ tool: 'nope' }, { tool: 'nope', code: 'UNKNOWN_TOOL' }],
      [{ tool: 'nope', code: 'UNKNOWN_TOOL' }],
    ],
  ])('where %s', (_what, rows, toolErrors, actual) => {
    const found = checkFacts(toolErrors === undefined ? undefined : { toolErrors }, evidence(rows))
    expect(found.map(difference => difference.actual)).toEqual(actual)
    for (const { path, expected } of found)
      expect({ path, expected }).toEqual({ path: 'toolErrors', expected: toolErrors ?? [] })
  })

  it('says which one, where, and what is allowed', () => {
    const toolErrors = [{ tool: 'bash', code: 'OTHER' }, { tool: 'bash', code: 'MORE' }, { tool: 'read' }]
    expect(messages({ toolErrors }, evidence([...aborted, ...unknown]))).toEqual([
      'facts.json toolErrors: expected no error of "bash" but OTHER, MORE, found one (AbortError, TOOL_ABORTED, ' +
        'session.jsonl event 1)',
      'facts.json toolErrors: expected tools that the agent has, found a call of "nope" (UNKNOWN_TOOL, session.jsonl ' +
        'event 3); no fact allows it',
    ])
  })
})

describe('exitCodes', () => {
  const rows = [
    ...called('bash', 'x'),
    ...called('bash', 'x\n[killed by signal: SIGKILL]'),
    ...called('read', 'x\n[exit code: 9]'),
    ...called('bash', 'x\n[exit code: 2]'),
    ['tool/call', { callId: 'open', name: 'bash', arguments: '{}' }] as const,
  ]

  it.each([
    [[0, 2], undefined],
    [[0, 3], 'expected [0,3], found [0,2] (session.jsonl event 6)'],
    [[2, 0], 'expected [2,0], found [0,2] (session.jsonl event 0)'],
    [[0], 'expected [0], found [0,2] (session.jsonl event 6)'],
    [[0, 2, 0], 'expected [0,2,0], found [0,2]'],
    [[], 'expected [], found [0,2] (session.jsonl event 0)'],
  ])('%j: %s', (codes, told) => {
    const without = '; 2 without an exit code (session.jsonl event 2, session.jsonl event 8)'
    expect(messages({ toolErrors: [], exitCodes: { bash: codes } }, evidence(rows))).toEqual(
      told === undefined ? [] : [`facts.json exitCodes.bash: ${told}${without}`],
    )
  })

  it('are in order over the logs, the primary first', () => {
    const logs = [
      { name: 'session.jsonl', log: sessionLog(called('bash', 'x\n[exit code: 1]')) },
      { name: 'session.1.jsonl', log: sessionLog(called('bash', 'x')) },
    ]
    expect(checkFacts({ toolErrors: [], exitCodes: { bash: [1, 0] } }, { ...evidence([]), logs })).toEqual([])
  })
})
