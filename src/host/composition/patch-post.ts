import { SnapshotError } from '../../errors.ts'
import { groupRows, type EntryPatch, type EntryRow } from './entries.ts'

/**
 * Delivers a caller's patches to the files whose rows they are for: an overlay includes the composition, so that the row
 * a caller means may stand in any of the files that are mounted.
 */
export class PatchPost {
  readonly byFile = new Map<string, readonly EntryPatch[]>()
  readonly #patches: readonly EntryPatch[]
  readonly #delivered = new Set<EntryPatch>()

  constructor(patches: readonly EntryPatch[]) {
    this.#patches = patches
  }

  /**
   * The patches for one file. The first file is the mounted one; it gets the rows that are inserted without an id.
   *
   * @param own - patches that whoever includes the file has for it
   */
  deliver(file: string, rows: readonly unknown[], own: readonly EntryPatch[]): readonly EntryPatch[] {
    const known = this.byFile.get(file)
    if (known !== undefined) return known
    const isMounted = this.byFile.size === 0
    const ids = new Set([...idsOf(rows), ...own.flatMap(({ insert = [] }) => [...idsOf(insert)])])
    const mine = this.#patches.filter(patch => {
      const fits = patch.id === undefined ? isMounted : ids.has(patch.id)
      // A later patch may be for a row that this one inserts.
      if (fits) for (const id of idsOf(patch.insert ?? [])) ids.add(id)
      return fits
    })
    for (const patch of mine) this.#delivered.add(patch)
    this.byFile.set(file, mine)
    return mine
  }

  /** @throws SnapshotError with code `USAGE` for a patch that no file has a row for */
  checkDelivered(file: string): void {
    const lost = this.#patches.find(patch => !this.#delivered.has(patch))
    if (lost === undefined) return
    throw new SnapshotError(
      'USAGE',
      `patches: no entry of ${file} or of what it includes has the id ${JSON.stringify(lost.id)}. ` +
        `Correct the id, or give the entry one.`,
      { details: { id: lost.id } },
    )
  }
}

function* idsOf(rows: readonly unknown[]): Generator<string> {
  for (const row of rows) {
    if (typeof row !== 'object' || row === null) continue
    if ('id' in row && typeof row.id === 'string') yield row.id
    yield* idsOf(groupRows(row as EntryRow) ?? [])
  }
}
