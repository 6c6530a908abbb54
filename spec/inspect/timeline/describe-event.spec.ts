import { describe, expect, it } from 'vitest'

import { describeEvent } from '../../../src/inspect/timeline/describe-event.ts'
import type { JsonObject } from '../../../src/session-log/index.ts'
import { usage } from '../logs.ts'

const line = (type: string, data: JsonObject): string => describeEvent({ type, seq: 0, time: 0, data })
const chunk = (value: JsonObject): string => line('assistant/chunk', { turn: 1, step: 1, chunk: value })
const content = [{ type: 'text', text: 'Hello\nyou' }]

describe('describeEvent', () => {
  it.each<[string, JsonObject, string]>([
    ['turn/start', { turn: 2 }, 'turn 2'],
    ['turn/end', { turn: 2, reason: { kind: 'completed' } }, 'turn 2 completed'],
    [
      'turn/end',
      { turn: 2, reason: { kind: 'aborted', reason: { kind: 'user' } } },
      'turn 2 aborted by user',
    ],
    [
      'turn/end',
      { turn: 2, reason: { kind: 'error', error: { message: 'no credit', code: 'QUOTA' } } },
      'turn 2 error QUOTA no credit',
    ],
    ['step/end', { turn: 2, step: 3 }, 'turn 2 step 3'],
    ['user/message', { content, source: { kind: 'user' } }, String.raw`user "Hello\nyou"`],
    ['user/message', { content: [{ type: 'image' }] }, '(image)'],
    ['user/message', { content: [7, {}] }, ''],
    [
      'assistant/message',
      { message: { content: [...content, { type: 'tool-call', name: 'bash' }] }, usage, interrupted: true },
      String.raw`"Hello\nyou" (tool-call bash) [10 in, 5 from cache, 2 out] interrupted`,
    ],
    ['tool/call', { callId: 'c1', name: 'bash', arguments: '{"a":1}' }, String.raw`bash c1 "{\"a\":1}"`],
    ['tool/call', {}, '""'],
    [
      'tool/result',
      { message: { source: { callId: 'c1' }, content: [{ type: 'tool-result', content, isError: false }] } },
      String.raw`c1 ok "Hello\nyou"`,
    ],
    [
      'tool/result',
      { message: { content: [{ isError: true }] }, error: { name: 'ToolError', code: 'DENIED' } },
      'error ToolError DENIED',
    ],
    [
      'request/header',
      { reason: 'change', header: { config: { provider: 'acme', model: 'large' } } },
      'change acme/large',
    ],
    ['request/context', { provider: 'acme', model: 'large' }, 'acme/large'],
    ['session/title', { title: 'A day', source: { kind: 'fallback' } }, 'fallback "A day"'],
    ['session/title', {}, '""'],
    ['compaction/start', { compactionId: 'a', turn: null }, ''],
    [
      'compaction/summary',
      { summary: content, shadowedSeqs: [1, 2], usage: { ...usage, cacheWriteTokens: 7 } },
      String.raw`2 messages replaced [10 in, 5 from cache, 7 to cache, 2 out] "Hello\nyou"`,
    ],
    ['compaction/end', { turn: 1, error: 'it is empty' }, 'turn 1 it is empty'],
    ['compaction/prune', { shadowedSeqs: [1] }, '1 message replaced'],
    [
      'llm/retry',
      { turn: 1, step: 2, retry: 3, failure: { message: 'slow down', code: 'RATE_LIMIT' } },
      'turn 1 step 2 retry 3 RATE_LIMIT slow down',
    ],
    ['llm/retry-started', { turn: 1, step: 2, retry: 3 }, 'turn 1 step 2 retry 3'],
    ['subagent/descriptor', { mode: 'one-shot', provider: 'fork', label: 'Look' }, 'one-shot fork "Look"'],
    ['subagent/descriptor', {}, '""'],
    ['todo/write', { todos: [{ content: 'a' }] }, '{"todos":[{"content":"a"}]}'],
    ['constructor', { a: 1 }, '{"a":1}'],
  ])('%s %j', (type, data, expected) => {
    expect(line(type, data)).toBe(expected)
  })

  it.each<[JsonObject, string]>([
    [{ type: 'block-start', index: 0, blockType: 'text' }, 'block-start block 0 text'],
    [{ type: 'block-end', index: 0, block: { type: 'text', text: 'a' } }, 'block-end block 0 text "a"'],
    [
      { type: 'block-end', index: 1, block: { type: 'tool-call', name: 'bash', arguments: '{}' } },
      'block-end block 1 tool-call bash "{}"',
    ],
    [{ type: 'block-end', index: 1, block: { type: 'image' } }, 'block-end block 1 image'],
    [{ type: 'block-end' }, 'block-end'],
    [{ type: 'usage', usage: { inputTokens: 1, outputTokens: 2 } }, 'usage [1 in, 2 out]'],
    [{ type: 'usage', usage: 7 }, 'usage'],
    [{ type: 'finish', reason: { kind: 'stop' } }, 'finish stop'],
    [
      { type: 'finish', reason: { kind: 'error', failure: { message: 'gone', code: 'SERVER' } } },
      'finish error SERVER gone',
    ],
    [{ type: 'riddle', index: 4 }, 'riddle block 4 {"type":"riddle","index":4}'],
  ])('a chunk %j', (value, expected) => {
    expect(chunk(value)).toBe(expected)
  })

  it('shows a chunk that is none', () => {
    expect(line('assistant/chunk', { turn: 1 })).toBe('{}')
  })
})
