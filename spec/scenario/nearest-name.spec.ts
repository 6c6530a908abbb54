import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nearestName } from '../../src/scenario/nearest-name.ts'

const OPS = ['initialize', 'newSession', 'prompt', 'promptContent', 'cancel', 'signal', 'op']

describe('nearestName', () => {
  it.each([
    ['promt', 'prompt'],
    ['pormpt', 'prompt'],
    ['Prompt', 'prompt'],
    ['new_session', 'newSession'],
    ['new-sesion', 'newSession'],
    ['initialise', 'initialize'],
    ['promptContents', 'promptContent'],
    ['o', 'op'],
  ])('takes %j for %j', (name, nearest) => {
    expect(nearestName(name, OPS)).toBe(nearest)
  })

  it.each(['', 'launch', 'x'.repeat(1_000_000)])('takes a name that is far from all for none', name => {
    expect(nearestName(name, OPS)).toBeUndefined()
  })

  it('takes the first of equals', () => {
    expect(nearestName('ad', ['zz', 'ab', 'ac'])).toBe('ab')
  })

  it('counts an empty name as one letter from a single one', () => {
    expect(nearestName('', ['a'])).toBe('a')
    expect(nearestName('a', ['_'])).toBe('_')
  })

  it('finds a known name again after one letter is lost, put in or changed', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...OPS.slice(0, -1)),
        fc.nat(),
        fc.constantFrom('', 'x', 'xx'),
        (name, at, insert) => {
          const place = at % name.length
          expect(nearestName(name.slice(0, place) + insert + name.slice(place + 1), OPS)).toBe(name)
        },
      ),
    )
  })
})
