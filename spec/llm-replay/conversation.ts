import type { JsonObject, JsonValue, SessionEvent } from '../../src/session-log/types.ts'
import { answer, callRows, type Row } from './logs.ts'

/** A user's message, as an event and as a request have it; another source says who else put it in. */
export function said(text: string, kind = 'user'): JsonObject {
  return { content: [{ type: 'text', text }], source: { kind }, role: 'user' }
}

/** A model's message; without a text it has no content. */
export function replied(text?: string): JsonObject {
  const content = text === undefined ? [] : [{ type: 'text', text }]
  return { role: 'assistant', content, source: { kind: 'model', provider: 'acme', model: 'm-1' } }
}

/** What a summariser tells its model to do. */
export const instruction = said('Summarise.', 'plugin')

export function userRow(text: string, kind = 'user'): Row {
  return ['user/message', said(text, kind), 'append']
}

/** Puts a user's message in the place of a range of earlier events. */
export function checkpointRow(text: string, start: number, end: number): Row {
  return ['user/message', said(text, 'plugin'), { op: 'replace', start, end }]
}

export function replyRow(turn: number, step: number, text?: string): Row {
  return ['assistant/message', { turn, step, message: replied(text) }, 'append']
}

export function stepStart(turn: number, step: number): Row {
  return ['step/start', { turn, step }]
}

export function stepEnd(turn: number, step: number): Row {
  return ['step/end', { turn, step }]
}

/** A step with one prompt and one answer. */
export function stepRows(turn: number, prompt: string, reply: string): Row[] {
  return [
    stepStart(turn, 1),
    userRow(prompt),
    ...callRows(turn, 1, answer(reply)),
    replyRow(turn, 1, reply),
    stepEnd(turn, 1),
  ]
}

/** A model call that a compaction made: it may be a part of a step, or between two. */
export function summaryRow(shadowedSeqs: readonly number[]): Row {
  const rawOutput = [{ type: 'text', text: 'in short' }]
  return ['compaction/summary', { llmStreamCall: true, rawOutput, shadowedSeqs }]
}

/** Where the first event of this type is. */
export function seqOf(rows: readonly Row[], type: string, nth = 0): number {
  return rows.flatMap(([name], seq) => (name === type ? [seq] : []))[nth] ?? -1
}

/** The texts of messages, for a short look at them. */
export function textsOf(messages: readonly JsonValue[]): string[] {
  return messages.map(message => {
    const { content } = message as { readonly content: readonly { readonly text: string }[] }
    return content.map(({ text }) => text).join('')
  })
}

/** Only what a lineage is read from. */
export function eventsOf(rows: readonly Row[]): Pick<SessionEvent, 'type' | 'data'>[] {
  return rows.map(([type, data]) => ({ type, data }))
}
