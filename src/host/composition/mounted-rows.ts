import { checkRows, groupRows, type EntryPatch, type EntryRow } from './entries.ts'

/**
 * The rows that are mounted whatever their expressions say, groups flattened, in list order. Patches are applied as the
 * Loader's include applies them: in order, each to what the ones before it have made; one that fits nothing is passed
 * over.
 *
 * @param file - named in errors
 */
export function mountedRows(
  rows: readonly EntryRow[],
  patches: readonly EntryPatch[],
  file: string,
): EntryRow[] {
  return enabled(checkRows(patchedRows(rows, patches), [], () => `${file}, with its patches`))
}

/** The rows with patches applied, whether they are switched off or not; what is inserted has not been checked. */
export function patchedRows(rows: readonly EntryRow[], patches: readonly EntryPatch[]): unknown[] {
  const patched = copyRows(rows)
  const byId = new Map<string, Row>()
  remember(patched, byId)
  for (const patch of patches) {
    if (patch.insert === undefined) change(patch, byId)
    else insert(patch, patched, byId)
  }
  return patched
}

/** A row while it is patched: what is inserted may be anything. */
type Row = Record<string, unknown>

/** Rows to change. Their configuration is left as it is: that of an inserted row may hold functions. */
function copyRows(rows: readonly unknown[]): Row[] {
  return rows.map(row => {
    const copy: Row = typeof row === 'object' ? { ...row } : { found: row }
    return isPatchable(copy) ? { ...copy, config: copyRows(copy.config) } : copy
  })
}

/** Patches reach only into rows that say of themselves that they are groups. */
function isPatchable(row: Row): row is Row & { readonly config: readonly unknown[] } {
  return Boolean(row.group) && Array.isArray(row.config)
}

function remember(rows: readonly Row[], byId: Map<string, Row>): void {
  for (const row of rows) {
    if (typeof row.id === 'string') byId.set(row.id, row)
    if (isPatchable(row)) remember(row.config as Row[], byId)
  }
}

function insert({ id, insert = [] }: EntryPatch, rows: Row[], byId: Map<string, Row>): void {
  const added = copyRows(insert)
  if (id === undefined) {
    rows.push(...added)
  } else {
    const group = byId.get(id)
    if (!group?.group) return
    group.config = [...(Array.isArray(group.config) ? (group.config as Row[]) : []), ...added]
  }
  remember(added, byId)
}

function change({ id, name, ...changes }: EntryPatch, byId: Map<string, Row>): void {
  const row = byId.get(id ?? '')
  // A name in a patch only claims which plugin the row has.
  if (row === undefined || (name !== undefined && name !== row.name)) return
  Object.assign(row, changes)
}

function enabled(rows: readonly EntryRow[]): EntryRow[] {
  return rows.flatMap(row => {
    if (row.disabled) return []
    const inner = groupRows(row)
    return inner === undefined ? [row] : [row, ...enabled(inner as EntryRow[])]
  })
}
