import { z } from 'zod'
import { parseDocument } from 'yaml'
import type { ScalarTag } from 'yaml'

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
 * Reads the rows of a composition file, nested groups flattened, in list order.
 *
 * @param text - YAML or JSON
 * @param file - named in errors
 * @throws SnapshotError with code `COMPOSITION_FAILED`, naming file and line
 */
export function parseEntries(text: string, file: string): EntryRow[] {
  const document = parseDocument(text, { customTags: [jsTag], prettyErrors: true })
  const [error] = document.errors
  if (error !== undefined) {
    const line = error.linePos?.[0].line
    throw new SnapshotError(
      'COMPOSITION_FAILED',
      `${file}:${line ?? 1}: not valid YAML: ${error.message.split('\n')[0] ?? ''} Correct the file.`,
      { cause: error },
    )
  }
  return flatten(z.array(z.unknown()), document.toJS() as unknown, file)
}

function flatten(list: z.ZodType<unknown[]>, value: unknown, file: string): EntryRow[] {
  const rows = list.safeParse(value)
  if (!rows.success) {
    throw new SnapshotError(
      'COMPOSITION_FAILED',
      `${file}: expected a list of entries, each with a name, but found ${describe(value)}.`,
    )
  }
  return rows.data.flatMap((row, index) => {
    const entry = entrySchema.safeParse(row)
    if (!entry.success) {
      throw new SnapshotError(
        'COMPOSITION_FAILED',
        `${file}: entry ${index + 1} has no name, but every entry names its plugin: found ${describe(row)}.`,
      )
    }
    const { group, config } = entry.data as EntryRow & { group?: unknown }
    const isGroup = group === true || /^cordis:group$|-plugin-group$/.test(entry.data.name)
    return isGroup && Array.isArray(config) ? [entry.data, ...flatten(list, config, file)] : [entry.data]
  })
}

/** Whether a row includes another file, and which. */
export function includeOf(row: EntryRow): IncludeConfig | undefined {
  if (!/^cordis:include$|-plugin-include$/.test(row.name)) return undefined
  return includeSchema.safeParse(row.config).data
}

/** The rows that are mounted whatever their expressions say, with a patch list applied. */
export function enabledRows(rows: readonly EntryRow[], patches: readonly EntryPatch[]): EntryRow[] {
  const switched = new Map(
    patches.filter(patch => 'disabled' in patch).map(patch => [patch.id, patch.disabled]),
  )
  const inserted = patches.flatMap(patch => patch.insert ?? []).map(row => entrySchema.safeParse(row).data)
  return [...rows, ...inserted.filter(row => row !== undefined)].filter(row => {
    const disabled = row.id !== undefined && switched.has(row.id) ? switched.get(row.id) : row.disabled
    return disabled === undefined || disabled === null || disabled === false
  })
}

function describe(value: unknown): string {
  if (value === undefined || value === null) return 'nothing'
  return JSON.stringify(value).slice(0, 80)
}
