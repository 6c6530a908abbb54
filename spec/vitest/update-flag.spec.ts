import { expect, it } from 'vitest'

import { isUpdating } from '../../src/vitest/update-flag.ts'

it.each([
  [{ snapshotState: { _updateSnapshot: 'all' } }, true],
  [{ snapshotState: { _updateSnapshot: 'new' } }, false],
  [{ snapshotState: { _updateSnapshot: 'none' } }, false],
  [{ snapshotState: null }, false],
  [{}, false],
])('reads the state of the runner: %j', (state, updating) => {
  expect(
    isUpdating({ getState: () => ({ ...expect.getState(), snapshotState: undefined, ...state }) as never }),
  ).toBe(updating)
})
