import type { ExpectStatic } from 'vitest'

/** Whether the runner was told to update what tests expect (`-u`), as its own snapshots have it. */
export function isUpdating(expect: ExpectStatic): boolean {
  const { snapshotState } = expect.getState() as { readonly snapshotState?: unknown }
  if (typeof snapshotState !== 'object' || snapshotState === null) return false
  // The runner tells matchers by this property, in all versions; its types call it private.
  return Reflect.get(snapshotState, '_updateSnapshot') === 'all'
}
