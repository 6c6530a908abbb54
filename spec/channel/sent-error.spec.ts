import { describe, expect, it } from 'vitest'

import { fromSent, toSent } from '../../src/channel/sent-error.ts'
import { SnapshotError } from '../../src/errors.ts'

describe('an error over the channel', () => {
  it.each([
    new SnapshotError('REPLAY_DRIFT', 'it differs', { details: { call: 1 } }),
    new SnapshotError('USAGE', 'it has none'),
  ])('is the same on the other side: %s', error => {
    const there = fromSent(toSent(error))
    expect(there).toBeInstanceOf(SnapshotError)
    expect(there).toMatchObject({ code: error.code, message: error.message, details: error.details })
  })

  it('needs no details, and no code', () => {
    expect(fromSent({ code: 'USAGE', message: 'bare' })).toMatchObject({ code: 'USAGE', details: {} })
    expect(fromSent({ message: 'plain' })).not.toBeInstanceOf(SnapshotError)
  })
})
