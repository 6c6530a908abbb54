import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ReplayEntry } from '../../src/llm-replay/entry.ts'
import {
  escapePlaceholders,
  placeholderProblem,
  resolveScriptedEntry,
} from '../../src/llm-replay/placeholder.ts'
import type { JsonValue } from '../../src/session-log/types.ts'
import { answer } from './logs.ts'
import { thrown } from '../support/thrown.ts'

const throwing = (message: string): ReplayEntry => ({ kind: 'throw', chunks: [], message, code: 'C' })

function resolve(message: string, messages: readonly JsonValue[]): string {
  const entry = resolveScriptedEntry(throwing(message), messages)
  return entry.kind === 'throw' ? entry.message : ''
}

const said = (...texts: string[]): JsonValue[] =>
  texts.map(text => ({ role: 'user', content: [{ type: 'text', text }] }))

/** Texts in which braces and openings are likely. */
const braced = fc
  .array(fc.constantFrom('{', '{{', '}', '}}', 'fromRequest:', '{{fromRequest:', 'a', '\n', '\\'))
  .map(parts => parts.join(''))

describe('resolveScriptedEntry', () => {
  it('gives back every escaped text', () => {
    fc.assert(
      fc.property(braced, text => {
        expect(resolve(`x${escapePlaceholders(text)}`, [])).toBe(`x${text}`)
      }),
    )
  })

  it('puts in any value between any escaped texts', () => {
    fc.assert(
      fc.property(braced, braced, braced, (before, value, after) => {
        const text = `${escapePlaceholders(before)} {{fromRequest:^<([^]*)>$}} ${escapePlaceholders(after)}`
        expect(resolve(text, [`<${value}>`])).toBe(`${before} ${value} ${after}`)
      }),
    )
  })

  it('returns the very same entry where there is nothing to put in', () => {
    const entry: ReplayEntry = { kind: 'chunks', chunks: answer('{"a":{"b":1}} {{cwd}} {') }
    expect(resolveScriptedEntry(entry, [])).toBe(entry)
  })

  it.each([
    ['the last match wins', 'id={{fromRequest:id-\\d}}', said('id-1 id-2', 'id-3'), 'id=id-3'],
    ['the first group', '{{fromRequest:id-(\\d)(\\d)}}', said('id-47'), '4'],
    ['the whole match where the group took no part', '{{fromRequest:(x)?id}}', said('id'), 'id'],
    ['a group may be empty', '[{{fromRequest:id-(\\d*)}}]', said('id-'), '[]'],
    [
      'leaves are joined by LF, in order',
      '{{fromRequest:user\\n(text\\nhello)\\nuser}}',
      said('hello', 'x'),
      'text\nhello',
    ],
    ['a pattern that ends in a brace', '{{fromRequest:a{2}}}', said('aaa'), 'aa'],
    ['a pattern with a brace inside', '{{fromRequest:a{2}b}}', said('aab'), 'aab'],
    ['an opening brace before', '{{{fromRequest:\\d}}', said('7'), '{7'],
    ['an escape before', '{{{{{{fromRequest:\\d}}', said('7'), '{{7'],
    ['two in a row', '{{fromRequest:\\d}}{{fromRequest:[a-z]$}}', said('7 b'), '7b'],
    ['an unknown placeholder stands for itself', '{{cwd}}/{{fromRequest:\\d}}', said('7'), '{{cwd}}/7'],
    [
      'a value that looks like a placeholder is not read again',
      '{{fromRequest:<(.*)>}}',
      said('<{{fromRequest:x}}>'),
      '{{fromRequest:x}}',
    ],
  ])('%s', (_, text, messages, expected) => {
    expect(resolve(text, messages)).toBe(expected)
  })

  it('reaches every string value, and no key', () => {
    const entry = {
      kind: 'chunks',
      chunks: [
        { type: 'block-start', index: 0, blockType: 'tool-call' },
        {
          type: 'tool-call-delta',
          index: 0,
          id: '{{fromRequest:\\d}}',
          argumentsDelta: '{"n":"{{fromRequest:\\d}}"}',
        },
        {
          type: 'block-end',
          index: 0,
          block: { type: 'tool-call', id: '{{fromRequest:\\d}}', name: 'n', arguments: '' },
        },
        {
          type: 'finish',
          reason: { kind: 'stop' },
          replayState: { '{{fromRequest:x}}': ['{{fromRequest:\\d}}', null, 1] },
        },
      ],
      gates: [{ after: 1, name: 'go-{{fromRequest:\\d}}' }],
    } satisfies ReplayEntry
    expect(resolveScriptedEntry(entry, said('7'))).toEqual({
      kind: 'chunks',
      chunks: [
        { type: 'block-start', index: 0, blockType: 'tool-call' },
        { type: 'tool-call-delta', index: 0, id: '7', argumentsDelta: '{"n":"7"}' },
        { type: 'block-end', index: 0, block: { type: 'tool-call', id: '7', name: 'n', arguments: '' } },
        { type: 'finish', reason: { kind: 'stop' }, replayState: { '{{fromRequest:x}}': ['7', null, 1] } },
      ],
      gates: [{ after: 1, name: 'go-7' }],
    })
  })

  it('reads messages nested to any depth', () => {
    let deep: JsonValue = 'id-9'
    for (let level = 0; level < 100_000; level++) deep = [deep]
    expect(resolve('{{fromRequest:id-(\\d)}}', ['id-1', deep])).toBe('9')
  })

  it('shows what a pattern was looked for in', () => {
    const error = thrown(() => resolve('{{fromRequest:^no}}', ['an "id"', 'x'.repeat(400)]))
    expect(error.message).toContain(
      `the pattern /^no/ of a fromRequest placeholder matches nothing in the request's messages, whose strings are joined ` +
        `by line ends: "an \\"id\\"\\n${'x'.repeat(288)}… (413 characters); allowed: a pattern that finds its value there`,
    )
  })

  it('gives a pattern up that is looked for too long', () => {
    const slow = `${'a'.repeat(60)}b`
    const error = thrown(() =>
      resolveScriptedEntry(throwing('{{fromRequest:(a+)+$}}'), [slow], 'o.json: entry 2'),
    )
    expect(error.code).toBe('REPLAY_INVALID')
    expect(error.message).toMatch(
      /^o\.json: entry 2: at message: the search for the pattern \/\(a\+\)\+\$\/ of a fromRequest placeholder was given up: .* 61 characters/,
    )
  })

  it.each([
    [
      '{{fromRequest:nowhere}}',
      'at message: the pattern /nowhere/ of a fromRequest placeholder matches nothing',
    ],
    ['{{fromRequest:(}}', 'at message: the pattern "(" is bad (SyntaxError'],
    [
      'a {{fromRequest:\\d}',
      'at message: the placeholder "{{fromRequest:\\\\d}" has no end; allowed: {{fromRequest:<pattern>}}, and {{{{',
    ],
  ])('refuses %j', (text, message) => {
    const error = thrown(() => resolveScriptedEntry(throwing(text), said('x'), () => 'o.json: entry 2'))
    expect(error.code).toBe('REPLAY_INVALID')
    expect(error.message).toMatch(/^o\.json: entry 2: /)
    expect(error.message).toContain(message)
  })

  it('refuses a result that no entry may hold: a request can not lead a ready file out', () => {
    const entry: ReplayEntry = { kind: 'hang', readyFile: '{{fromRequest:file (\\S+)}}' }
    expect(resolveScriptedEntry(entry, said('file a/b'))).toEqual({ kind: 'hang', readyFile: 'a/b' })
    const error = thrown(() => resolveScriptedEntry(entry, said('file ../b'), 'o.json'))
    expect(error.message).toContain(
      'o.json, placeholders resolved: at readyFile: found "../b"; allowed: a relative path',
    )
    expect(thrown(() => resolve('{{fromRequest:x()}}', said('x'))).message).toContain('at message: found ""')
  })
})

describe('placeholderProblem', () => {
  it('finds the first bad text, and takes every escaped one', () => {
    expect(placeholderProblem({ a: ['fine', '{{fromRequest:[}}', '{{fromRequest:'] })).toMatchObject({
      path: ['a', 1],
    })
    expect(placeholderProblem({ a: '{{fromRequest:x' })).toMatchObject({ path: ['a'] })
    fc.assert(
      fc.property(braced, text => {
        expect(placeholderProblem([escapePlaceholders(text)])).toBeUndefined()
      }),
    )
  })
})
