import type { ExpectStatic } from 'vitest'

/** Whether the runner was told to update what tests expect (`-u`), as its own snapshots have it. */
export function isUpdating(expect: Pick<ExpectStatic, 'getState'>): boolean {
  const { snapshotState } = expect.getState() as { readonly snapshotState?: unknown }
  // The runner's own matchers go by this property, in all versions; its types call it private.
  return Reflect.get(Object(snapshotState) as object, '_updateSnapshot') === 'all'
}
