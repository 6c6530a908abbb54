import { describe, expect, it } from 'vitest'

import { inspectFolder } from '../../../src/inspect/inspect-folder.ts'
import { problemLines, scenarioLines } from '../../../src/inspect/timeline/scenario-lines.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { HEADER } from '../../session-log/logs.ts'
import { call, chunk, cutCall, logText, packed, turnOf } from '../logs.ts'

async function linesOf(files: Readonly<Record<string, string>>): Promise<string[]> {
  const steps = [{ op: 'initialize' }, { op: 'newSession' }]
  const scenario = { 'input.json': JSON.stringify({ steps }), 'stdout.expected.jsonl': '', ...files }
  return [...scenarioLines(await inspectFolder(tempFolder(scenario)))]
}

describe('scenarioLines', () => {
  it('gives a line an event, and one for the deltas of a block', async () => {
    const lines = await linesOf({
      'session.jsonl': logText([
        ['request/header', { header: { config: { provider: 'acme', model: 'large' } }, reason: 'initial' }],
        ...turnOf(1, [
          chunk(1, 1, { type: 'block-start', index: 0, blockType: 'text' }),
          chunk(1, 1, { type: 'text-delta', index: 0, text: 'Be' }),
          packed(1, 1, [5, 7], ['fore ', 'and ', 'aft']),
          packed(1, 1, [1, 1], ['er', '.', '']),
          chunk(1, 1, { type: 'text-delta', index: 1, text: 'Other' }),
          chunk(1, 1, { type: 'finish', reason: { kind: 'max-tokens' } }),
        ]),
      ]),
    })
    expect(lines.slice(1)).toEqual([
      `  session.jsonl ${HEADER.id} acme/large`,
      '        0 request/header initial acme/large',
      '        1 turn/start turn 1',
      '        2   step/start turn 1 step 1',
      '        3     assistant/chunk block-start block 0 text',
      '        4     assistant/chunk text-delta block 0 ×7 +14 ms "Before and after."',
      '       11     assistant/chunk text-delta block 1 ×1 "Other"',
      '       12     assistant/chunk finish max-tokens',
      '       13   step/end turn 1 step 1',
      '       14 turn/end turn 1 completed',
      expect.stringMatching(/: 1 session, 1 turn, 0 model calls, .*, 1 problem$/),
    ])
    expect(lines[0]).toMatch(/ {2}initialize, newSession$/)
  })

  it('gives times since the first event where the log has them', async () => {
    const rows = [
      { type: 'turn/start', seq: 0, time: 5000, data: { turn: 1 } },
      ...['a', 'b'].map((argumentsDelta, at) => ({
        type: 'assistant/chunk',
        seq: at + 1,
        time: 5100 + at * 40,
        data: {
          turn: 1,
          step: 1,
          chunk: { type: 'tool-call-delta', index: 0, id: 'c', name: 'bash', argumentsDelta },
        },
      })),
      { type: 'hook/invoked', seq: 3, time: 4990, data: {} },
      {
        type: 'assistant/chunk',
        seq: 4,
        time: 7000,
        data: { turn: 1, step: 1, chunk: { type: 'text-delta' } },
      },
    ]
    const log = [HEADER, ...rows].map(row => `${JSON.stringify(row)}\n`).join('')
    expect((await linesOf({ 'session.jsonl': log })).slice(2, -1)).toEqual([
      '        0        +0 ms  turn/start turn 1',
      '        1      +100 ms    assistant/chunk (no finish) tool-call-delta block 0 bash ×2 +40 ms "ab"',
      '        3       -10 ms    hook/invoked {}',
      '        4     +2000 ms    assistant/chunk text-delta ×1 ""',
    ])
  })

  it('puts children after their parent, further in', async () => {
    const session = (id: string, parentSession?: string): string =>
      logText(turnOf(1, call(1, 1, ['a'])), {
        id,
        ...(parentSession === undefined ? {} : { parentSession, delegationDepth: 1 }),
      })
    const lines = await linesOf({
      'session.jsonl': session('p'),
      'session.1.jsonl': session('c', 'p'),
      'session.2.jsonl': session('d', 'nobody'),
      'session.3.jsonl': session('g', 'c'),
      'session.4.jsonl': session('x', 'y'),
      'session.5.jsonl': session('y', 'x'),
    })
    expect(lines.filter(line => /^ +session/.test(line))).toEqual([
      '  session.jsonl p',
      '    session.1.jsonl c child of session.jsonl depth 1',
      '      session.3.jsonl g child of session.1.jsonl depth 1',
      '  session.2.jsonl d depth 1',
      '  session.4.jsonl x child of session.5.jsonl depth 1',
      '    session.5.jsonl y child of session.4.jsonl depth 1',
    ])
    expect(lines.at(-1)).toContain(
      '6 sessions, 6 turns, 6 model calls, 0 tool calls, tokens 60 in (and 30 from cache), 12 out',
    )
  })

  it('says what a fork has inherited, what has no finish, and where a log ends that goes on', async () => {
    const rows = [
      ...turnOf(1, []),
      ['subagent/descriptor', { label: 'Look' }] as const,
      ...turnOf(2, cutCall(2, 1, 'par')),
    ]
    const lines = await linesOf({
      'session.jsonl': `${logText(rows, { parentSession: 'gone', seedLength: 4 })}{`,
    })
    expect(lines.slice(1, -1)).toEqual([
      `  session.jsonl ${HEADER.id} "Look"`,
      '        0 … 4 events inherited from its parent',
      '        4 subagent/descriptor "Look"',
      '        5 turn/start turn 2',
      '        6   step/start turn 2 step 1',
      '        7     assistant/chunk (no finish) block-start block 0 text',
      '        8     assistant/chunk text-delta block 0 ×1 "par"',
      '        9   step/end turn 2 step 1',
      '       10 turn/end turn 2 completed',
      "          … what comes after can't be read",
    ])
  })

  it('sums up without an end cut off', async () => {
    const many = { inputTokens: 2 ** 50, outputTokens: 2 ** 50, cacheReadTokens: 2 ** 50 }
    const [usageRow, finish] = [
      { type: 'usage', usage: many },
      { type: 'finish', reason: { kind: 'stop' } },
    ]
    const rows = turnOf(1, [chunk(1, 1, usageRow), chunk(1, 1, finish)])
    const lines = await linesOf({ 'session.jsonl': logText(rows) })
    expect(lines.at(-1)).toMatch(
      /1 model call, 0 tool calls, tokens \d{16} in \(and \d{16} from cache\), \d{16} out, 0 errors$/,
    )
  })

  it('lets nothing through that a terminal would obey, and no line longer than 120 characters', async () => {
    const hostile = `\u001b[2J\u009b1m\r\u202e${'x'.repeat(500)}\n`
    const data = {
      text: hostile,
      callId: hostile,
      name: hostile,
      arguments: hostile,
      reason: { kind: hostile },
    }
    const lines = await linesOf({
      'session.jsonl': logText(
        [
          [hostile, data],
          ['tool/call', data],
          ['turn/end', data],
          [
            'user/message',
            { content: [{ type: 'text', text: hostile }], source: { kind: hostile } },
            'append',
          ],
          ['request/header', { header: { config: { provider: hostile } }, reason: hostile }],
          chunk(1, 1, { type: 'text-delta', index: 0, text: hostile }),
        ],
        { id: hostile },
      ),
    })
    for (const line of lines) {
      expect(line).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
      expect(line.length).toBeLessThanOrEqual(120)
    }
  })
})

describe('problemLines', () => {
  it('begins with the place and escapes what a terminal would obey', () => {
    expect(problemLines({ file: 'a', message: 'b\n\u001b[1mc' })).toEqual(['a: b', '\\u001b[1mc'])
    expect(problemLines({ file: 'a', line: 1, column: 2, message: 'b' })).toEqual(['a:1:2: b'])
  })
})
