import { z } from 'zod'
import { isNode, LineCounter, parseDocument } from 'yaml'
import type { Document, ScalarTag } from 'yaml'

import { SnapshotError } from '../../errors.ts'

/** A JavaScript expression in a configuration file (`!!js`); the Loader evaluates it when the entry is mounted. */
export interface JsExpression {
  readonly __jsExpr: string
}

const jsTag: ScalarTag = {
  tag: 'tag:yaml.org,2002:js',
  resolve: (text): JsExpression => ({ __jsExpr: text }),
}

const patchSchema: z.ZodType<EntryPatch> = z.looseObject({
  id: z.string().optional(),
  insert: z.array(z.unknown()).optional(),
  disabled: z.unknown().optional(),
})

const entrySchema = z.looseObject({
  id: z.string().optional(),
  name: z.string().min(1),
  group: z.unknown().optional(),
  disabled: z.unknown().optional(),
  config: z.unknown().optional(),
})

/** One row of a composition. */
export type EntryRow = z.infer<typeof entrySchema>

/**
 * A change that an include makes to the rows of the file it includes, as the Loader's include takes it.
 *
 * @public
 */
export interface EntryPatch {
  /** The row that is changed; absent where rows are added to the list itself. */
  readonly id?: string | undefined
  /** Rows to add: to the list, or to the group that `id` names. */
  readonly insert?: readonly unknown[] | undefined
  readonly disabled?: unknown
  /** Any other key replaces that of the row. */
  readonly [key: string]: unknown
}

/** What an include names. */
export interface IncludeConfig {
  readonly path: string
  readonly patches?: readonly EntryPatch[] | undefined
}

const includeSchema: z.ZodType<IncludeConfig> = z.looseObject({
  path: z.string(),
  patches: z.array(patchSchema).optional(),
})

/**
 * Reads the rows of a composition file, in list order; the rows of a group are its `config`.
 *
 * @param text - YAML or JSON
 * @param file - named in errors
 * @throws SnapshotError with code `COMPOSITION_FAILED`, naming file and line
 */
export function parseEntries(text: string, file: string): EntryRow[] {
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { customTags: [jsTag], prettyErrors: true, lineCounter })
  const place = (at: Position): string => `${file}:${lineOf(document, at, lineCounter)}`
  return checkRows(plainValue(document, file), [], place)
}

type Position = readonly (string | number)[]

function plainValue(document: Document.Parsed, file: string): unknown {
  try {
    const [error] = document.errors
    if (error === undefined) return document.toJS()
    throw error
  } catch (cause) {
    const { linePos, message } = cause as Error & { readonly linePos?: readonly { readonly line: number }[] }
    // Errors in aliases come without a place.
    const line = linePos?.[0] === undefined ? '' : `:${linePos[0].line}`
    throw new SnapshotError(
      'COMPOSITION_FAILED',
      `${file}${line}: not valid YAML: ${message.split('\n')[0] ?? ''} Correct the file.`,
      { cause },
    )
  }
}

function lineOf(document: Document.Parsed, at: Position, lineCounter: LineCounter): number {
  const node: unknown = at.length === 0 ? document.contents : document.getIn(at, true)
  const start = isNode(node) ? node.range?.[0] : undefined
  return start === undefined ? 1 : lineCounter.linePos(start).line
}

/** Checks rows and those of their groups; `place` says where a position within the value lies. */
export function checkRows(value: unknown, at: Position, place: (at: Position) => string): EntryRow[] {
  if (!Array.isArray(value)) {
    throw new SnapshotError(
      'COMPOSITION_FAILED',
      `${place(at)}: expected a list of entries, each with a name, but found ${describe(value)}.`,
    )
  }
  return value.map((row: unknown, index) => {
    const entry = entrySchema.safeParse(row)
    if (!entry.success) {
      throw new SnapshotError(
        'COMPOSITION_FAILED',
        `${place([...at, index])}: this entry has no name, but every entry names its plugin: found ${describe(row)}.`,
      )
    }
    const rows = groupRows(entry.data)
    if (rows !== undefined) checkRows(rows, [...at, index, 'config'], place)
    return entry.data
  })
}

/** The rows of a group; undefined where a row is none. */
export function groupRows(row: EntryRow): readonly unknown[] | undefined {
  const isGroup = Boolean(row.group) || /^cordis:group$|[-/]plugin-group$/.test(row.name)
  return isGroup && Array.isArray(row.config) ? (row.config as unknown[]) : undefined
}

/** Whether a row includes another file, and which. */
export function includeOf(row: EntryRow): IncludeConfig | undefined {
  if (!/^cordis:include$|[-/]plugin-include$/.test(row.name)) return undefined
  return includeSchema.safeParse(row.config).data
}

function describe(value: unknown): string {
  if (value === undefined || value === null) return 'nothing'
  return JSON.stringify(value).slice(0, 80)
}
