import { z } from 'zod'
import { parseDocument } from './parse-document.ts'
import {
  anyText,
  exactObject,
  innerPath,
  integerFrom,
  listOf,
  pattern,
  recordOf,
  someText,
} from './schema-parts.ts'

/** How often: exactly so often, or within bounds that both count. Integers from 0. @public */
export type CountFact = number | { readonly min?: number; readonly max?: number }

/** What a text must be. `matches` is the source of a regular expression without flags. @public */
export type TextFact = { readonly equals: string } | { readonly matches: string }

/** What a file of the workspace must be after the run. @public */
export type FileFact = { readonly absent: true } | TextFact | { readonly contains: string }

/** A tool error that is allowed; any code where none is named. @public */
export interface ToolErrorFact {
  readonly tool: string
  readonly code?: string
}

/** What must be true of a run, whatever its snapshot says. An absent field says nothing, but for `toolErrors`. @public */
export interface Facts {
  readonly modelCalls?: CountFact
  /** Calls by tool name. */
  readonly tools?: Readonly<Record<string, CountFact>>
  /** No other tool may be called. */
  readonly onlyTools?: readonly string[]
  /** The tool errors that are allowed; none where the file names none. */
  readonly toolErrors: readonly ToolErrorFact[]
  /** Exit codes by tool name, in order. */
  readonly exitCodes?: Readonly<Record<string, readonly number[]>>
  /** The agent's last text. */
  readonly finalText?: TextFact
  readonly stopReason?: string
  /** By path relative to the workspace, and inside it. */
  readonly files?: Readonly<Record<string, FileFact>>
}

/** Facts as they are written: {@link Facts}, any field of which may be left out. @public */
export type FactsInput = Partial<Facts>

const amount = integerFrom(0, 'an integer from 0')

const count: z.ZodType<CountFact> = z.union(
  [
    amount,
    exactObject({ min: amount.exactOptional(), max: amount.exactOptional() }).refine(
      ({ min, max }) => min === undefined || max === undefined || min <= max,
      { error: 'a "min" that is not above "max"' },
    ),
  ],
  { error: 'a count: an integer from 0, or { "min"?, "max"? } of them' },
)

const equals = exactObject({ equals: anyText })
const matches = exactObject({ matches: pattern })

const text: z.ZodType<TextFact> = z.union([equals, matches], {
  error: 'exactly one of { "equals": text } and { "matches": regular expression }',
})

const fileFact: z.ZodType<FileFact> = z.union(
  [exactObject({ absent: z.literal(true) }), equals, exactObject({ contains: anyText }), matches],
  { error: 'exactly one of { "absent": true }, { "equals" }, { "contains" } and { "matches" } with a text' },
)

const tool = someText

const schema: z.ZodType<Facts> = exactObject({
  modelCalls: count.exactOptional(),
  tools: recordOf(tool, count, 'an object of counts by tool name').exactOptional(),
  onlyTools: listOf(tool, 'a list of tool names').exactOptional(),
  toolErrors: listOf(
    exactObject({ tool, code: someText.exactOptional() }),
    'a list of { "tool", "code"? }',
  ).default([]),
  exitCodes: recordOf(
    tool,
    listOf(z.int({ error: 'an integer' }), 'a list of exit codes'),
    'an object of lists of exit codes by tool name',
  ).exactOptional(),
  finalText: text.exactOptional(),
  stopReason: someText.exactOptional(),
  files: recordOf(innerPath, fileFact, 'an object by path').exactOptional(),
})

/**
 * Parses a `facts.json`.
 *
 * @param text - the document
 * @param file - what it is called in messages, such as its path
 * @throws SnapshotError `SCENARIO_INVALID`, with file, line and column
 * @public
 */
export function parseFacts(text: string, file: string): Facts {
  return parseDocument(schema, text, file)
}
