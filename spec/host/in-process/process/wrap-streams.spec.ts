import nodeConsole from 'node:console'
import { PassThrough } from 'node:stream'

import { expect, it } from 'vitest'

import { slot } from '../../../../src/host/in-process/scope.ts'
import { startRun } from '../../support/start-run.ts'

// Needs a process that has had no run yet, which it is not where workers are shared.
it.skipIf(slot.installed)(
  'what someone has put in the place of a standard stream, and on the console, stays there outside of every run',
  async () => {
    const replaced = new PassThrough()
    Object.defineProperty(process, 'stdin', { value: replaced, configurable: true })
    const calls: unknown[] = []
    Reflect.set(nodeConsole, 'trace', (...args: unknown[]) => calls.push(args))
    Reflect.set(nodeConsole, 'ownOfTheRunner', (...args: unknown[]) => calls.push(args))

    const { inside, host } = await startRun()
    expect(process.stdin).toBe(replaced)
    expect(inside(() => process.stdin)).not.toBe(replaced)

    const own = Reflect.get(nodeConsole, 'ownOfTheRunner') as (word: string) => void
    nodeConsole.trace('outside')
    own('outside')
    expect(calls).toEqual([['outside'], ['outside']])
    inside(() => nodeConsole.trace('inside'))
    inside(() => own('inside'))
    expect(calls).toEqual([['outside'], ['outside'], ['inside']])
    expect(host.diagnostics()).toContain('Trace: inside')
  },
)
