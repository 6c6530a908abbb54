import { constants } from 'node:os'

import { describe, expect, it } from 'vitest'

import { runScript, sourceUrl } from '../../support/plain-node.ts'
import { startRun } from '../../support/start-run.ts'
import { thrownBy } from '../../../support/thrown.ts'

describe('process.exit', () => {
  it.each([
    [3, 3],
    ['4', 4],
    [undefined, undefined],
    [null, undefined],
  ])('inside a run ends the run alone: exit(%j)', async (given, exitCode) => {
    const { inside, host } = await startRun()
    const thrown = await thrownBy(() => inside(() => process.exit(given)))
    expect(thrown).toMatchObject({ code: 'ISOLATION', details: { exitCode } })
    const failed = await host.failed
    expect(failed).toMatchObject({ code: 'STEP_FAILED', details: { exitCode } })
    expect(failed.message).toContain(`exit code ${exitCode ?? 0}`)
  })

  it('is left to the process outside of every run', async () => {
    await startRun()
    // The test runner has put an error in its place.
    expect(() => process.exit(7)).toThrow('process.exit unexpectedly called with "7"')
  })
})

describe('ending the own process by other ways', () => {
  it.each([
    ['process.kill(process.pid)', () => process.kill(process.pid), 128 + constants.signals.SIGTERM],
    [
      "process.kill(process.pid, 'SIGKILL')",
      () => process.kill(process.pid, 'SIGKILL'),
      128 + constants.signals.SIGKILL,
    ],
    ['process.kill(process.pid, 2)', () => process.kill(process.pid, 2), 130],
    ['process.kill(0)', () => process.kill(0), 128 + constants.signals.SIGTERM],
    ['process.abort()', () => process.abort(), 128 + constants.signals.SIGABRT],
  ])('inside a run ends the run alone: %s', async (_call, call, exitCode) => {
    const { inside, host } = await startRun()
    expect(await thrownBy(() => inside(call))).toMatchObject({ code: 'ISOLATION', details: { exitCode } })
    expect(await host.failed).toMatchObject({ details: { exitCode } })
  })

  it('calls the listeners that the run has for the signal instead, as a process would', async () => {
    const { inside, host } = await startRun()
    const { promise, resolve } = Promise.withResolvers<unknown>()
    inside(() => process.on('SIGINT', (...args) => resolve([...args, process.cwd()])))
    expect(inside(() => process.kill(process.pid, 'SIGINT'))).toBe(true)
    expect(await promise).toEqual(['SIGINT', 2, host.cwd])
  })

  it('leaves other processes and the look whether one is alive to the system', async () => {
    const { inside } = await startRun()
    expect(inside(() => process.kill(process.pid, 0))).toBe(true)
    expect(process.kill(process.pid, 0)).toBe(true)
    expect(await thrownBy(() => inside(() => process.kill(2 ** 30, 'SIGTERM')))).toMatchObject({
      code: 'ESRCH',
    })
    expect(await thrownBy(() => inside(() => process.kill(process.pid, 'SIGNONE')))).toMatchObject({
      code: 'ERR_UNKNOWN_SIGNAL',
    })
  })
})

describe('an error that nothing handles', () => {
  it.each([
    ['a rejection', 'unhandledRejection', () => void Promise.reject(new Error('nobody cares'))],
    [
      'a throw in a timer',
      'uncaughtException',
      () =>
        void setTimeout(() => {
          throw new Error('nobody cares')
        }, 0),
    ],
    [
      'a throw in a listener',
      'uncaughtException',
      () =>
        process.nextTick(() => {
          throw new Error('nobody cares')
        }),
    ],
  ])('inside a run ends the run alone, as it would end the agent: %s', async (_what, event, crash) => {
    const { inside, host } = await startRun()
    inside(crash)
    const failed = await host.failed
    expect(failed).toMatchObject({ code: 'STEP_FAILED', details: { event } })
    expect(failed.message).toContain('the agent crashed')
    expect(failed.message).toContain('nobody cares')
    expect(failed.cause).toMatchObject({ message: 'nobody cares' })
    expect(host.diagnostics()).toContain('Error: nobody cares')
  })

  it('may be anything', async () => {
    const { inside, host } = await startRun()
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- an agent may do that
    inside(() => void Promise.reject('a word'))
    expect((await host.failed).message).toContain('a word')
    expect(host.diagnostics()).toContain('a word')
  })

  it('is given to the listeners that the run has for it instead', async () => {
    const { inside, host } = await startRun()
    const { promise, resolve } = Promise.withResolvers<unknown>()
    inside(() => {
      process.on('unhandledRejection', reason => resolve([reason, process.cwd()]))
      void Promise.reject(new Error('mine'))
    })
    expect(await promise).toEqual([expect.objectContaining({ message: 'mine' }), host.cwd])
  })

  it("outside of every run is the process's", async () => {
    const seen = await runScript(`
      import { installScopes } from ${JSON.stringify(sourceUrl('host/in-process/install.ts'))}
      installScopes()
      const seen = []
      const note = kind => error => {
        seen.push([kind, error.message])
        if (seen.length === 2) console.log(JSON.stringify(seen))
      }
      process.on('unhandledRejection', note('rejection'))
      process.on('uncaughtException', note('exception'))
      Promise.reject(new Error('a'))
      setTimeout(() => { throw new Error('b') }, 1)
    `)
    expect(seen).toEqual([
      ['rejection', 'a'],
      ['exception', 'b'],
    ])
  })
})
