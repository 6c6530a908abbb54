import { setImmediate as turn } from 'node:timers/promises'

import { describe, expect, it, vi } from 'vitest'

import { withDeadline } from '../../src/host/deadline.ts'
import { problemOf } from '../support/thrown.ts'

const never = new Promise<never>(() => undefined)

describe('withDeadline', () => {
  it('gives what the work gives, without asking what to say', async () => {
    const late = vi.fn(() => 'late')
    expect(await withDeadline(Promise.resolve(7), 1000, late)).toBe(7)
    expect(late).not.toHaveBeenCalled()
  })

  it('throws what the work throws', async () => {
    await expect(withDeadline(Promise.reject(new Error('no')), 1000, () => 'late')).rejects.toThrow('no')
  })

  it('throws at the deadline what it asks for only then', async () => {
    let doing = 'the first thing'
    const error = problemOf(() => withDeadline(never, 5, () => `stuck in ${doing}`))
    doing = 'the second thing'
    expect(await error).toMatchObject({
      code: 'DEADLINE_EXCEEDED',
      message: 'stuck in the second thing (waited 5 ms)',
      details: { ms: 5 },
    })
  })

  it('throws what goes wrong in saying what is late', async () => {
    const late = (): string => {
      throw new Error('nothing to say')
    }
    await expect(withDeadline(never, 5, late)).rejects.toThrow('nothing to say')
  })

  it('ends with the reason of an abort, before or while it waits', async () => {
    const reason = new Error('enough')
    await expect(withDeadline(never, 1000, () => 'late', AbortSignal.abort(reason))).rejects.toBe(reason)
    const later = new AbortController()
    const waiting = withDeadline(never, 1000, () => 'late', later.signal)
    later.abort(reason)
    await expect(waiting).rejects.toBe(reason)
    expect(await withDeadline(Promise.resolve(7), 1000, () => 'late', new AbortController().signal)).toBe(7)
  })

  it('leaves no timer behind', async () => {
    const timers = () => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length
    const before = timers()
    await withDeadline(Promise.resolve(), 60_000, () => '')
    await withDeadline(Promise.reject(new Error('no')), 60_000, () => '').catch(() => undefined)
    expect(timers()).toBe(before)
  })

  it.each([Infinity, 2 ** 40])('takes %d ms as for ever, not as at once', async ms => {
    let ended = false
    const { promise, resolve } = Promise.withResolvers<string>()
    const waiting = withDeadline(promise, ms, () => 'late').finally(() => (ended = true))
    waiting.catch(() => undefined)
    await new Promise(done => setTimeout(done, 10))
    await turn()
    expect(ended).toBe(false)
    resolve('done')
    expect(await waiting).toBe('done')
  })

  it('does not leave a late rejection unhandled', async () => {
    const { promise, reject } = Promise.withResolvers<never>()
    await problemOf(() => withDeadline(promise, 1, () => 'late'))
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    reject(new Error('after the deadline'))
    await turn()
    await turn()
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
  })
})
