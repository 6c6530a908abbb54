import fc from 'fast-check'
import type { JsonObject, SessionEvent, SessionLog } from '../../src/session-log/types.ts'
import type { NormalizationRule, NormalizeContext } from '../../src/transcript/index.ts'
import { primaryId, sessionLog } from './logs.ts'

/** A rule of a user's own with all its parts: it masks tickets and drops what a plugin measures. */
export const ticketRule: NormalizationRule = {
  name: 'ticket',
  why: 'A tracker gives each run a ticket.',
  text: () => text => text.replace(/\bT-\d+\b/g, '{{ticket}}'),
  event: () => event =>
    event.type === 'acme/measured' ? { ...event, data: { ...event.data, took: 0 } } : event,
  header: () => header => ({ ...header, delegationDepth: 0 }),
  frame: () => frame => (frame.method === 'acme/tick' ? { ...frame, params: {} } : frame),
}

/** A run's own values, with several spellings of its folders; `rules` come with half of them. */
export const contexts: fc.Arbitrary<NormalizeContext> = fc
  .record({ jobIds: fc.subarray(['bash-7', 'bash-1', 'subagent-3']), own: fc.boolean() })
  .map(({ jobIds, own }) => ({
    cwds: ['/tmp/run', '/r', '/tmp/a b', 'C:\\run\\x', '/tmp/real/run'],
    sessionIds: ['s-1', 'home', 'tmp', primaryId],
    spillRoots: ['/tmp/run/out', '/spill'],
    homes: ['/h/home'],
    temps: ['/h/tmp'],
    sessionRoots: ['/h/sessions'],
    jobIds,
    ...(own && { rules: [ticketRule] }),
  }))

const fragments = [
  ...[
    '/tmp/run',
    '/r',
    '/tmp/a b',
    '/tmp/a%20b',
    'C:\\run\\x',
    'C:/run/x',
    '/tmp/run-2',
    '/private',
    'file://',
  ],
  ...[
    '/spill',
    '/out',
    '/session-0123456789ab',
    '/ba9876543210-',
    'read.txt',
    '/h/home',
    '/h/tmp',
    '/h/sessions',
  ],
  ...[
    '/--r--',
    '/dsh-subprocess-a/dsh-subprocess-1-2-0a1b2c3d4e5f-stdout.log',
    primaryId,
    's-1',
    'home',
    'T-12',
  ],
  ...[
    'background job ',
    'background subagent job ',
    'bash-7',
    'bash-1',
    'bash-2',
    'bash-70',
    'subagent-3',
    'my-',
  ],
  ...[
    '{{cwd}}',
    '{{sessionId}}',
    '{{home}}',
    '{{tmp}}',
    '{{',
    '}}',
    '/',
    '\\',
    '"',
    ' ',
    '.',
    ':',
    'x',
    '\n',
  ],
]

/** A text with something to replace in it as a rule. */
export const texts = fc.array(fc.constantFrom(...fragments), { maxLength: 9 }).map(parts => parts.join(''))

const handlers = fc
  .tuple(
    fc.constantFrom('claude-code', 'codex', ''),
    fc.constantFrom(':PreToolUse:', ':Stop:', ':', ''),
    fc.nat(9),
  )
  .map(parts => parts.join(''))

const data: fc.Arbitrary<JsonObject> = fc.record(
  {
    text: texts,
    list: fc.array(fc.oneof(texts, fc.integer()), { maxLength: 3 }),
    handlerId: handlers,
    durationMs: fc.nat(),
    took: fc.nat(),
    header: fc.record({ system: texts, tools: fc.constant([]), config: texts }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
)

const types = [
  'user/message',
  'tool/result',
  'assistant/chunk',
  'hook/invoked',
  'hook/result',
  'request/header',
  'acme/measured',
]

export const events: fc.Arbitrary<SessionEvent[]> = fc
  .array(fc.record({ type: fc.constantFrom(...types), time: fc.nat(), data, ignorable: fc.boolean() }), {
    maxLength: 8,
  })
  .map(list =>
    list.map(({ ignorable, ...event }, seq) => ({
      ...event,
      seq,
      ...(ignorable && { ignorable: true as const }),
    })),
  )

export const logs: fc.Arbitrary<SessionLog> = fc
  .record({
    list: events,
    header: fc.record(
      { cwd: texts, id: texts, parentSession: texts, agentPreset: texts, delegationDepth: fc.nat(3) },
      { requiredKeys: [] },
    ),
  })
  .map(({ list, header }) => ({ ...sessionLog([], header), events: list }))

export const frames: fc.Arbitrary<JsonObject[]> = fc.array(
  fc.record(
    {
      id: fc.oneof(fc.nat(9), texts, fc.constant(null)),
      method: fc.constantFrom('session/update', 'acme/tick'),
      params: data,
    },
    { requiredKeys: [] },
  ),
  { maxLength: 8 },
)

/** Frames as an agent writes them. */
export function stdoutOf(list: readonly unknown[]): string {
  return list.map(frame => `${JSON.stringify(frame)}\n`).join('')
}
