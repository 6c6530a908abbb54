import { readFileSync } from 'node:fs'

import { z } from 'zod'

import { parseDocument } from '../../../src/scenario/parse-document.ts'
import { anyText, exactObject, integerFrom, listOf, someText } from '../../../src/scenario/schema-parts.ts'
import type { JsonObject } from '../../../src/session-log/index.ts'

/** Which request an answer is for: each text is contained in what the request says. */
export interface AnswerCondition {
  /** In the first user message. */
  readonly firstUser?: string
  /** In the last user message. */
  readonly lastUser?: string
  /** In some user message: a fork has its parent's, and its own. */
  readonly anyUser?: string
  /** In the last message, whose ever it is. */
  readonly last?: string
  /** Whether it is a summary for a compaction. */
  readonly compaction?: boolean
  /** Whether it is the title of a session: such a request has no tools. */
  readonly title?: boolean
}

/** A tool call as a model streams it: the arguments as fragments of JSON, or whole. */
export interface AnsweredCall {
  readonly id: string
  readonly name: string
  readonly arguments: readonly string[] | JsonObject
}

/** What becomes of an answer instead of its end, or of all of it. */
export type AnswerFailure =
  | {
      /** HTTP status, in place of a stream. */
      readonly status: number
      readonly message?: string
      readonly code?: string
      readonly type?: string
      /** Seconds. */
      readonly retryAfter?: number
      readonly requestId?: string
    }
  /** After the chunks: the connection breaks; the response ends early; nothing more comes; what comes is no JSON. */
  | { readonly after: 'cut' | 'end' | 'hang' | 'malformed' }

/** What a model answers to one request. */
export interface ModelAnswer {
  readonly when?: AnswerCondition
  /** Deltas, in the order in which they are streamed: reasoning, text, calls. */
  readonly reasoning?: readonly string[]
  readonly text?: readonly string[]
  readonly toolCalls?: readonly AnsweredCall[]
  /** `tool_calls` where there are any, else `stop`. */
  readonly finish?: 'stop' | 'tool_calls' | 'length' | 'content_filter'
  /** As on the wire; by default counted from what is asked and answered. */
  readonly usage?: JsonObject
  /** Before each chunk, ms. */
  readonly delayMs?: number
  /** Before anything comes at all, ms. */
  readonly firstByteDelayMs?: number
  readonly fail?: AnswerFailure
}

/** The answers of a model, each for one request. */
export interface ModelAnswers {
  readonly answers: readonly ModelAnswer[]
}

const trueOrFalse = z.boolean({ error: 'true or false' })
const texts = listOf(anyText, 'a list of texts')
const ms = integerFrom(0, 'milliseconds, an integer from 0')

const answer: z.ZodType<ModelAnswer> = exactObject({
  when: exactObject({
    firstUser: someText.exactOptional(),
    lastUser: someText.exactOptional(),
    anyUser: someText.exactOptional(),
    last: someText.exactOptional(),
    compaction: trueOrFalse.exactOptional(),
    title: trueOrFalse.exactOptional(),
  }).exactOptional(),
  reasoning: texts.exactOptional(),
  text: texts.exactOptional(),
  toolCalls: listOf(
    exactObject({
      id: someText,
      name: someText,
      arguments: z.union([z.array(z.string()), z.record(z.string(), z.json())]),
    }),
    'a list of calls',
  ).exactOptional(),
  finish: z.enum(['stop', 'tool_calls', 'length', 'content_filter']).exactOptional(),
  usage: z.record(z.string(), z.json()).exactOptional(),
  delayMs: ms.exactOptional(),
  firstByteDelayMs: ms.exactOptional(),
  fail: z
    .union([
      exactObject({ after: z.enum(['cut', 'end', 'hang', 'malformed']) }),
      exactObject({
        status: integerFrom(400, 'an HTTP status from 400'),
        message: someText.exactOptional(),
        code: someText.exactOptional(),
        type: someText.exactOptional(),
        retryAfter: integerFrom(1, 'seconds, an integer from 1').exactOptional(),
        requestId: someText.exactOptional(),
      }),
    ])
    .exactOptional(),
})

const schema: z.ZodType<ModelAnswers> = exactObject({ answers: listOf(answer, 'a list of answers') })

/**
 * Reads the authored answers of a scenario.
 *
 * @throws SnapshotError `SCENARIO_INVALID`, with file, line and column
 */
export function readAnswers(file: string): ModelAnswers {
  return parseDocument(schema, readFileSync(file, 'utf8'), file)
}
