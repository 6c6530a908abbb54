import { readFile, stat } from 'node:fs/promises'

import { SnapshotError } from '../../errors.ts'
import { parseEntries, type EntryRow } from './entries.ts'

const known = new Map<string, { readonly stamp: string; readonly rows: readonly EntryRow[] }>()

/**
 * The rows of a composition file. They are parsed anew only where the file has changed: runs in a row share theirs, and
 * parsing takes a tenth of a short run.
 */
export async function readRows(file: string): Promise<readonly EntryRow[]> {
  const { ino, size, mtimeNs, ctimeNs } = await stat(file, { bigint: true })
  const stamp = [ino, size, mtimeNs, ctimeNs].join(' ')
  const before = known.get(file)
  if (before?.stamp === stamp) return before.rows
  const rows = rowsIn(await textOf(file), file)
  known.set(file, { stamp, rows })
  return rows
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    throw new SnapshotError(
      'COMPOSITION_FAILED',
      `${file}: this file can't be read: ${String(cause)}. Name a Loader configuration, such as a cordis.yml.`,
      { cause, details: { file } },
    )
  }
}

/** YAML may hold what no list of rows can: a value that is part of itself. */
function rowsIn(text: string, file: string): readonly EntryRow[] {
  try {
    return parseEntries(text, file)
  } catch (cause) {
    if (cause instanceof SnapshotError) throw cause
    const [problem] = String(cause).split('\n')
    throw new SnapshotError(
      'COMPOSITION_FAILED',
      `${file}: its rows can't be read: ${String(problem)}. ` +
        'An alias must not lead to what holds it, as in "- &a [*a]". Correct the file.',
      { cause, details: { file } },
    )
  }
}
