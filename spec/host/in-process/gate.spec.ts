import { describe, expect, it } from 'vitest'

import { admitted } from '../../../src/host/in-process/gate.ts'
import { startRun } from '../support/start-run.ts'
import { thrownBy } from '../../support/thrown.ts'

describe('the gate of mounts', () => {
  it('admits one at a time, in order of arrival', async () => {
    const log: string[] = []
    const work = (name: string) =>
      admitted(async () => {
        log.push(`${name} begins`)
        await new Promise(resolve => setTimeout(resolve, name === 'a' ? 10 : 0))
        log.push(`${name} ends`)
        return name
      })
    expect(await Promise.all([work('a'), work('b'), work('c')])).toEqual(['a', 'b', 'c'])
    expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
  })

  it('lets the event loop turn between two', async () => {
    const log: string[] = []
    const mounts = Promise.all(['a', 'b', 'c'].map(name => admitted(() => Promise.resolve(log.push(name)))))
    let turns = 0
    const turn = (): void => {
      turns += 1
      log.push(`turn ${turns}`)
      if (turns < 4) setImmediate(turn)
    }
    setImmediate(turn)
    await mounts
    const between = (a: string, b: string) =>
      log.slice(log.indexOf(a), log.indexOf(b)).filter(x => x.startsWith('turn'))
    expect(between('a', 'b').length).toBeGreaterThan(0)
    expect(between('b', 'c').length).toBeGreaterThan(0)
  })

  it('goes on after work that fails', async () => {
    const failing = thrownBy(() => admitted(() => Promise.reject(new Error('no'))))
    const throwing = thrownBy(() =>
      admitted(() => {
        throw new Error('not even a promise')
      }),
    )
    const next = admitted(() => Promise.resolve('next'))
    expect(await failing).toMatchObject({ message: 'no' })
    expect(await throwing).toMatchObject({ message: 'not even a promise' })
    expect(await next).toBe('next')
  })

  it('does not let work that waits hold up the next', async () => {
    const stuck = Promise.withResolvers<string>()
    const first = admitted(() => stuck.promise)
    expect(await admitted(() => Promise.resolve('next'))).toBe('next')
    stuck.resolve('first')
    expect(await first).toBe('first')
  })

  it('a mount that fails, or never ends, does not keep the next from starting', async () => {
    const fails = { name: 'fails', apply: () => Promise.reject(new Error('no')) }
    const stuck = { name: 'stuck', apply: () => new Promise(() => undefined) }
    const starts = [
      thrownBy(() => startRun({ plugins: [fails] })),
      thrownBy(() => startRun({ plugins: [stuck], mountTimeoutMs: 50 })),
      startRun().then(() => 'started'),
    ]
    expect(await Promise.all(starts)).toEqual([
      expect.objectContaining({ code: 'COMPOSITION_FAILED' }),
      expect.objectContaining({ code: 'DEADLINE_EXCEEDED' }),
      'started',
    ])
  })
})
