import { describe, expect, it } from 'vitest'
import { parseSessionHeader } from '../../src/session-log/index.ts'
import { HEADER, HEADER_LINE, refusal } from './logs.ts'

const refused = (value: unknown): string =>
  refusal(() =>
    parseSessionHeader(typeof value === 'string' ? value : JSON.stringify(value), 'session.jsonl'),
  )

describe('parseSessionHeader', () => {
  it('reads the required keys', () => {
    expect(parseSessionHeader(HEADER_LINE, 'session.jsonl')).toStrictEqual(HEADER)
  })

  it('reads all keys, in any order', () => {
    const full = {
      agentPreset: 'reviewer',
      delegationDepth: 2,
      origin: 'subagent',
      seedLength: 7,
      parentSession: 'p',
      cwd: '{{cwd}}',
      createdAt: 0,
      id: '{{sessionId}}',
      version: 0,
      type: 'session',
    }
    expect(parseSessionHeader(JSON.stringify(full), 'session.jsonl')).toStrictEqual(full)
  })

  it('refuses another version before it looks at anything else', () => {
    expect(refused({ version: 3, strange: true })).toBe(
      'session.jsonl:1: session format version 3 is not supported; expected version 0. Record the session again with a ' +
        'version of the agent that writes format 0',
    )
    expect(refused({ ...HEADER, version: 0.5 })).toContain('version 0.5 is not supported')
  })

  it('names the line it is given', () => {
    expect(refusal(() => parseSessionHeader('[]', 'a/b.jsonl', 4))).toBe(
      'a/b.jsonl:4: the line is an array of 0; expected a JSON object',
    )
  })

  it.each([
    [
      '',
      /^session\.jsonl:1: not JSON \(SyntaxError: .*\); expected one JSON object a line\. If a write was cut off/,
    ],
    ['{"type":"sess', /^session\.jsonl:1: not JSON/],
    ['null', 'session.jsonl:1: the line is null; expected a JSON object'],
    [
      { ...HEADER, type: 'turn/start' },
      `session.jsonl:1: the header's type is "turn/start"; expected "session": the first line of a log is its header`,
    ],
    [{ ...HEADER, version: '0' }, `session.jsonl:1: the header's version is "0"; expected 0`],
    [{ ...HEADER, version: undefined }, `session.jsonl:1: the header's version is missing; expected 0`],
    [{ ...HEADER, id: '' }, `session.jsonl:1: the header's id is ""; expected a string that is not empty`],
    [{ ...HEADER, id: 4 }, `session.jsonl:1: the header's id is 4; expected a string that is not empty`],
    [{ ...HEADER, cwd: '' }, `session.jsonl:1: the header's cwd is ""; expected a string that is not empty`],
    [
      { ...HEADER, createdAt: -1 },
      `session.jsonl:1: the header's createdAt is -1; expected a safe integer >= 0`,
    ],
    [
      { ...HEADER, createdAt: 1.5 },
      `session.jsonl:1: the header's createdAt is 1.5; expected a safe integer >= 0`,
    ],
    [
      { ...HEADER, seedLength: 2 ** 53 },
      /the header's seedLength is 9007199254740992; expected a safe integer >= 0$/,
    ],
    [{ ...HEADER, seedLength: null }, /the header's seedLength is null; expected a safe integer >= 0$/],
    [
      { ...HEADER, delegationDepth: undefined },
      `session.jsonl:1: the header's delegationDepth is missing; expected a safe integer >= 0`,
    ],
    [
      { ...HEADER, origin: 'fork' },
      `session.jsonl:1: the header's origin is "fork"; expected "subagent", or no origin`,
    ],
    [
      { ...HEADER, agentPreset: {} },
      /the header's agentPreset is an object \{\}; expected a string that is not empty$/,
    ],
    [
      { ...HEADER, model: 'm' },
      'session.jsonl:1: the header has the unknown key "model"; expected only type, version, id, createdAt, cwd, ' +
        'parentSession, seedLength, origin, delegationDepth, agentPreset',
    ],
  ])('refuses %j', (value, message) => {
    if (typeof message === 'string') expect(refused(value)).toBe(message)
    else expect(refused(value)).toMatch(message)
  })

  it('refuses minus zero', () => {
    expect(refused(HEADER_LINE.replace('1700000000000', '-0'))).toContain(
      "the header's createdAt is -0; expected a safe",
    )
  })
})
