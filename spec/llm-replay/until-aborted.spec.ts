import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { untilAborted } from '../../src/llm-replay/until-aborted.ts'

describe('untilAborted', () => {
  it('leaves no listener behind, however the work ends', async () => {
    const { signal } = new AbortController()
    await untilAborted(() => Promise.resolve(), signal)
    await expect(untilAborted(() => Promise.reject(new Error('disk full')), signal)).rejects.toThrow(
      'disk full',
    )
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  })

  it("throws the signal's reason, not what the work made of it", async () => {
    const controller = new AbortController()
    const work = Promise.withResolvers<undefined>()
    controller.signal.addEventListener('abort', () => work.reject(new Error('AbortError of the work')))
    const done = untilAborted(() => work.promise, controller.signal)
    controller.abort(new Error('cancelled'))
    await expect(done).rejects.toThrow('cancelled')
  })

  it('throws the reason where the work ends by the abort, well', async () => {
    const controller = new AbortController()
    const work = Promise.withResolvers<undefined>()
    controller.signal.addEventListener('abort', () => work.resolve(undefined))
    const done = untilAborted(() => work.promise, controller.signal)
    controller.abort(new Error('cancelled'))
    await expect(done).rejects.toThrow('cancelled')
  })

  it('does not begin after an abort', async () => {
    let begun = false
    const work = (): Promise<void> => {
      begun = true
      return Promise.resolve()
    }
    await expect(untilAborted(work, AbortSignal.abort(new Error('over')))).rejects.toThrow('over')
    expect(begun).toBe(false)
    await untilAborted(work, undefined)
    expect(begun).toBe(true)
  })
})
