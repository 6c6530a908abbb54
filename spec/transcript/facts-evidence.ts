import type { Facts } from '../../src/scenario/index.ts'
import type { JsonObject } from '../../src/session-log/index.ts'
import { checkFacts, type FactsEvidence } from '../../src/transcript/check-facts.ts'
import { sessionLog } from './logs.ts'

/** An event of a log. */
export type Row = readonly [type: string, data: JsonObject]

/** A run with one session. */
export function evidence(rows: readonly Row[]): FactsEvidence {
  return {
    modelCalls: 0,
    logs: [{ name: 'session.jsonl', log: sessionLog(rows) }],
    stopReason: 'end_turn',
  }
}

/** What is told of the facts that a run breaks. */
export function messages(facts: Facts, given: FactsEvidence): string[] {
  return checkFacts(facts, given).map(({ message }) => message)
}

/** A tool call and its result. */
export function called(name: string, text: string, { isError = false, ...rest }: JsonObject = {}): Row[] {
  const block = { type: 'tool-result', toolCallId: 'a', content: [{ type: 'text', text }], isError }
  return [
    ['tool/call', { turn: 1, step: 1, callId: 'a', name, arguments: '{}' }],
    [
      'tool/result',
      { turn: 1, step: 1, message: { source: { kind: 'tool', callId: 'a' }, content: [block] }, ...rest },
    ],
  ]
}

/** A message of the model with one text. */
export function said(text: string): Row {
  return saidIn({ type: 'text', text })
}

/** A message of the model with these blocks. */
export function saidIn(...content: readonly JsonObject[]): Row {
  return ['assistant/message', { turn: 1, step: 1, message: { role: 'assistant', content } }]
}
