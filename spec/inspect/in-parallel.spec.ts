import { setImmediate } from 'node:timers/promises'

import { describe, expect, it } from 'vitest'

import { inParallel } from '../../src/inspect/in-parallel.ts'

describe('inParallel', () => {
  it('does so many at a time and gives the results in order', async () => {
    let going = 0
    let most = 0
    const results = await inParallel([5, 1, 4, 2, 3], 2, async turns => {
      most = Math.max(most, ++going)
      for (let turn = 0; turn < turns; turn += 1) await setImmediate()
      going -= 1
      return turns * 10
    })
    expect(results).toEqual([50, 10, 40, 20, 30])
    expect(most).toBe(2)
  })

  it('rejects with what the work throws', async () => {
    await expect(inParallel([1], 4, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await inParallel([], 4, () => Promise.resolve(1))).toEqual([])
  })
})
