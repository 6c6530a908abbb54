import { expect, it } from 'vitest'

import { amended } from '../src/amended-error.ts'
import { SnapshotError } from '../src/errors.ts'

it('puts words and details to an error of ours', () => {
  const error = new SnapshotError('USAGE', 'wrong', { details: { a: 1 } })
  expect(amended(error, { prefix: 'all is ', details: { b: 2 } })).toMatchObject({
    code: 'USAGE',
    message: 'all is wrong',
    details: { a: 1, b: 2 },
    cause: error,
  })
  expect(amended(error, {})).toMatchObject({ message: 'wrong', details: { a: 1 } })
})

it('leaves any other alone', () => {
  const error = new Error('of somebody else')
  expect(amended(error, { prefix: 'x' })).toBe(error)
})
