import { describe, expect, it } from 'vitest'
import { within } from '../../src/client/within.ts'
import type { Wait } from '../../src/client/within.ts'
import { SnapshotError } from '../../src/errors.ts'

const never = (): Promise<never> => new Promise(() => undefined)
const wait = (more: Partial<Wait> = {}): Wait => ({
  what: 'bus',
  ms: 10_000,
  limit: 'patience',
  seen: () => 'a tram',
  failed: new AbortController().signal,
  ...more,
})

describe('within', () => {
  it('gives what the work gives', async () => {
    await expect(within(wait(), () => Promise.resolve(7))).resolves.toBe(7)
  })

  it('aborts the work at the deadline', async () => {
    let deadline: AbortSignal | undefined
    const work = within(wait({ ms: 20 }), signal => {
      deadline = signal
      return never()
    })
    await expect(work).rejects.toMatchObject({
      code: 'DEADLINE_EXCEEDED',
      message: 'no bus within 20 ms. Seen last: a tram. If the agent is only slow, raise patience.',
      details: { waitedFor: 'bus', seenLast: 'a tram', timeoutMs: 20 },
    })
    expect(deadline?.aborted).toBe(true)
  })

  it('takes a deadline that is longer than any timer for a long one', async () => {
    const later = new Promise<string>(resolve => setTimeout(() => resolve('came'), 20))
    await expect(within(wait({ ms: 2 ** 40 }), () => later)).resolves.toBe('came')
  })

  it('ends at once where the run has failed before', async () => {
    const failed = AbortSignal.abort(new SnapshotError('STDOUT_INVALID', 'oops.', { details: { line: 3 } }))
    await expect(within(wait({ failed }), never)).rejects.toMatchObject({
      code: 'STDOUT_INVALID',
      message: 'oops. (Waiting for: bus. Seen last: a tram.)',
      details: { line: 3, waitedFor: 'bus' },
    })
  })

  it('gives whatever else goes wrong a code and a place', async () => {
    const thrown = 'a string' as unknown as Error
    await expect(within(wait(), () => Promise.reject(thrown))).rejects.toMatchObject({
      code: 'STEP_FAILED',
      message: 'a string (Waiting for: bus. Seen last: a tram.)',
    })
    const work = (): never => {
      throw new Error('flat tyre')
    }
    await expect(within(wait(), work)).rejects.toMatchObject({
      code: 'STEP_FAILED',
      cause: { message: 'flat tyre' },
    })
  })

  it('leaves nothing behind on a signal that outlives it', async () => {
    const failed = new AbortController()
    const seen: string[] = []
    const signals: AbortSignal[] = []
    await within(wait({ failed: failed.signal, seen: () => (seen.push('asked'), '') }), signal => {
      signals.push(signal)
      return Promise.resolve()
    })
    failed.abort()
    expect(seen).toEqual([])
    expect(signals[0]?.aborted).toBe(false)
  })
})
