import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseBlock, parseChunk, parseUsage } from '../../src/llm-replay/chunk.ts'
import { streams } from './arbitrary.ts'
import { thrown } from '../support/thrown.ts'

const usage = { inputTokens: 1, outputTokens: 2 }
const failure = { message: 'busy', code: 'BUSY' }

describe('parseChunk', () => {
  it('returns the same value for every chunk of a well-formed stream', () => {
    fc.assert(
      fc.property(streams, chunks => {
        for (const chunk of chunks) expect(parseChunk(chunk, 'chunk')).toBe(chunk)
      }),
    )
  })

  it('refuses a chunk with a key more or a required key less', () => {
    const optional = new Set(['name', 'replayState'])
    fc.assert(
      fc.property(streams, chunks => {
        for (const chunk of chunks) {
          expect(thrown(() => parseChunk({ ...chunk, extra: 1 }, 'chunk')).message).toContain(
            'unknown key "extra"',
          )
          for (const key of Object.keys(chunk).filter(key => !optional.has(key))) {
            const less = Object.fromEntries(Object.entries(chunk).filter(([other]) => other !== key))
            expect(thrown(() => parseChunk(less, 'chunk')).message).toContain(`"${key}" is missing`)
          }
        }
      }),
    )
  })

  it.each([
    [{ type: 'tool-call-delta', index: 0, id: 'c', argumentsDelta: '{}' }],
    [{ type: 'finish', reason: { kind: 'stop' }, replayState: { response: { any: ['thing'] } } }],
    [
      {
        type: 'finish',
        reason: {
          kind: 'error',
          failure: { ...failure, status: 599, providerRetryAfterMs: 0.5, requestId: 'r' },
        },
      },
    ],
    [{ type: 'usage', usage: { ...usage, cacheReadTokens: 0, cacheWriteTokens: 3, reasoningTokens: 4 } }],
    [{ type: 'block-start', index: 1, blockType: 'of a plugin' }],
  ])('accepts %j', chunk => {
    expect(parseChunk(chunk, 'chunk')).toBe(chunk)
  })

  it.each([
    [null, 'found null; allowed: an object with "type" ("block-start", "text-delta"'],
    [[], 'found an array of 0; allowed: an object with "type"'],
    [{ index: 0 }, 'the key "type" is missing; allowed: "type" as one of "block-start"'],
    [{ type: 'text' }, 'at type: found "text"; allowed: "block-start", "text-delta"'],
    [{ type: 7 }, 'at type: found 7'],
    [{ type: 'constructor' }, 'at type: found "constructor"'],
    [{ type: 'text-delta', index: '0', text: '' }, 'at index: found "0"; allowed: a number'],
    [{ type: 'text-delta', index: 0, text: 1 }, 'at text: found 1; allowed: a string'],
    [{ type: 'text-delta', index: 0 }, 'the key "text" is missing; allowed: type, index, text'],
    [{ type: 'tool-call-delta', index: 0, id: 'c', argumentsDelta: '', name: null }, 'at name: found null'],
    [
      { type: 'usage', usage: 1 },
      'at usage: found 1; allowed: an object with inputTokens, outputTokens, cacheReadTokens?',
    ],
    [{ type: 'usage', usage: { ...usage, cost: 1 } }, 'at usage: unknown key "cost"'],
    [
      { type: 'usage', usage: { ...usage, inputTokens: -1 } },
      'at usage.inputTokens: found -1; allowed: a number, 0 or more',
    ],
    [{ type: 'usage', usage: { ...usage, inputTokens: Infinity } }, 'at usage.inputTokens: found Infinity'],
    [{ type: 'finish', reason: { kind: 'refusal' } }, 'at reason.kind: found "refusal"; allowed: "stop"'],
    [{ type: 'finish', reason: { kind: 'stop', failure } }, 'at reason: unknown key "failure"'],
    [{ type: 'finish', reason: { kind: 'error' } }, 'at reason: the key "failure" is missing'],
    [
      { type: 'finish', reason: { kind: 'error', failure: { message: '', code: 'A' } } },
      'at reason.failure.message: found ""; allowed: a non-empty string',
    ],
    [
      { type: 'finish', reason: { kind: 'error', failure: { ...failure, status: 99 } } },
      'at reason.failure.status: found 99; allowed: a whole number from 100 to 599',
    ],
    [
      { type: 'finish', reason: { kind: 'error', failure: { ...failure, status: 600 } } },
      'at reason.failure.status',
    ],
    [
      { type: 'finish', reason: { kind: 'error', failure: { ...failure, status: 200.5 } } },
      'at reason.failure.status',
    ],
    [
      { type: 'finish', reason: { kind: 'error', failure: { ...failure, status: '401' } } },
      'at reason.failure.status',
    ],
    [
      { type: 'finish', reason: { kind: 'aborted', failure: { ...failure, providerRetryAfterMs: 0 } } },
      'at reason.failure.providerRetryAfterMs',
    ],
    [
      { type: 'finish', reason: { kind: 'aborted', failure: { ...failure, providerRetryAfterMs: '1' } } },
      'at reason.failure.providerRetryAfterMs',
    ],
    [{ type: 'block-end', index: 0, block: { type: 'text' } }, 'at block: the key "text" is missing'],
  ])('refuses %j', (value, message) => {
    const error = thrown(() => parseChunk(value, () => 'log: event 3'))
    expect(error.code).toBe('REPLAY_INVALID')
    expect(error.message).toMatch(/^log: event 3: /)
    expect(error.message).toContain(message)
  })

  it('refuses a key that JSON can hold and a literal cannot', () => {
    const chunk: unknown = JSON.parse('{"type":"text-delta","index":0,"text":"","__proto__":1}')
    expect(thrown(() => parseChunk(chunk, 'chunk')).message).toContain('unknown key "__proto__"')
  })
})

describe('parseBlock', () => {
  it.each([
    [{ type: 'text', text: '' }],
    [{ type: 'reasoning', text: 'hm' }],
    [{ type: 'image', attachment: { attachmentId: 'x', bytes: 3 } }],
    [{ type: 'tool-call', id: 'c', name: 'bash', arguments: '{' }],
    [{ type: 'tool-result', toolCallId: 'c', content: [{ type: 'text', text: 'ok' }], isError: false }],
    [{ type: 'of a plugin', whatever: { it: ['holds'] } }],
  ])('accepts %j', block => {
    expect(parseBlock(block, 'block')).toBe(block)
  })

  it.each([
    [{ text: 'x' }, 'the key "type" is missing'],
    [{ type: 'text', text: 'x', cache: true }, 'unknown key "cache"; allowed: type, text'],
    [{ type: 'image', attachment: 'x' }, 'at attachment: found "x"; allowed: an object'],
    [
      { type: 'tool-call', id: 'c', name: 'bash', arguments: {} },
      'at arguments: found an object; allowed: a string',
    ],
    [{ type: 'tool-result', toolCallId: 'c', content: 'ok' }, 'at content: found "ok"; allowed: an array'],
    [
      { type: 'tool-result', toolCallId: 'c', content: [], isError: 1 },
      'at isError: found 1; allowed: true or false',
    ],
    [
      {
        type: 'tool-result',
        toolCallId: 'c',
        content: [
          { type: 'text', text: '' },
          { type: 'text', text: 2 },
        ],
      },
      'at content[1].text: found 2',
    ],
  ])('refuses %j', (block, message) => {
    expect(thrown(() => parseBlock(block, 'block')).message).toContain(message)
  })

  it('refuses nesting that would exhaust the stack', () => {
    let block: unknown = { type: 'text', text: '' }
    for (let level = 0; level < 100_000; level++)
      block = { type: 'tool-result', toolCallId: 'c', content: [block] }
    expect(thrown(() => parseBlock(block, 'block')).message).toContain('nested too deep')
  })
})

describe('parseUsage', () => {
  it('checks the counts', () => {
    expect(parseUsage(usage, 'usage')).toBe(usage)
    expect(thrown(() => parseUsage({ inputTokens: 1 }, 'usage')).message).toContain(
      '"outputTokens" is missing',
    )
  })
})
