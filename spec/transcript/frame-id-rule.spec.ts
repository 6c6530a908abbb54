import fc from 'fast-check'
import { expect, it } from 'vitest'
import { FirstSight } from '../../src/transcript/first-sight.ts'
import { frameIdRule } from '../../src/transcript/frame-id-rule.ts'

const ids = fc.array(fc.oneof(fc.integer({ min: -3, max: 9 }), fc.string({ maxLength: 1 })), {
  maxLength: 12,
})

it('gives the same numbers wherever ids are the same, and leaves those that are right', () => {
  fc.assert(
    fc.property(ids, list => {
      const numbers = list.map(id => ({ id })).map(frameIdRule())
      const sight = new FirstSight()
      expect(numbers).toEqual(list.map(id => ({ id: sight.numberOf(JSON.stringify(id)) })))
      expect(numbers.map(frameIdRule())).toEqual(numbers)
    }),
  )
})

it('leaves frames without an id', () => {
  const rule = frameIdRule()
  const [update, unread] = [{ method: 'session/update' }, { id: null, error: {} }]
  expect(rule(update)).toBe(update)
  expect(rule(unread)).toBe(unread)
  expect(rule({ id: 'x' })).toEqual({ id: 1 })
})
