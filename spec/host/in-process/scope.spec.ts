import { describe, expect, it, vi } from 'vitest'

import { currentScope, slot } from '../../../src/host/in-process/scope.ts'
import { runScript, sourceUrl } from '../support/plain-node.ts'
import { startRun } from '../support/start-run.ts'

describe('the process-wide slot', () => {
  it('knows the run that code belongs to, across promises, timers and events', async () => {
    const { inside, host } = await startRun()
    expect(currentScope()).toBeUndefined()
    expect(inside(() => currentScope()?.key)).toBe(host.folders.key)
    expect(
      await inside(async () => {
        await new Promise(resolve => setTimeout(resolve, 1))
        await new Promise(resolve => setImmediate(resolve))
        await new Promise(resolve => process.nextTick(resolve))
        return currentScope()?.key
      }),
    ).toBe(host.folders.key)
  })

  it('keeps the run through web streams that are read and written elsewhere', async () => {
    const { inside, host } = await startRun()
    const { readable, writable } = new TransformStream<string>()
    const reading = inside(async () => {
      await readable.getReader().read()
      return currentScope()?.key
    })
    await writable.getWriter().write('from outside')
    expect(await reading).toBe(host.folders.key)
  })

  it('knows which runs are live', async () => {
    const before = slot.live.size
    const { host } = await startRun()
    expect([...slot.live].map(scope => scope.key)).toContain(host.folders.key)
    await host[Symbol.asyncDispose]()
    expect(slot.live.size).toBe(before)
  })

  it('is the one that is there already, where the library is loaded a second time', async () => {
    vi.resetModules()
    const copy = await import('../../../src/host/in-process/scope.ts')
    expect(copy.currentScope).not.toBe(currentScope)
    expect(copy.slot).toBe(slot)
  })

  it('is one where two copies of the library meet in a process', async () => {
    // A query makes Node load a module again, as a runner's own copy beside the one that a plugin imports.
    const seen = await runScript(`
      import fs from 'node:fs'
      import { EventEmitter } from 'node:events'
      const scopeUrl = ${JSON.stringify(sourceUrl('host/in-process/scope.ts'))}
      const first = await import(scopeUrl)
      const second = await import(scopeUrl + '?copy')
      const { installScopes } = await import(${JSON.stringify(sourceUrl('host/in-process/install.ts'))})
      const again = await import(${JSON.stringify(sourceUrl('host/in-process/install.ts'))} + '?copy')
      installScopes()
      const wrapped = fs.readFileSync
      again.installScopes()
      const scope = { cwd: '/somewhere', env: {}, processEvents: new EventEmitter() }
      console.log(JSON.stringify({
        two: first.currentScope !== second.currentScope,
        oneSlot: first.slot === second.slot,
        oneWrap: fs.readFileSync === wrapped,
        cwd: second.slot.scopes.run(scope, () => [process.cwd(), first.currentScope()?.cwd]),
      }))
    `)
    expect(seen).toEqual({ two: true, oneSlot: true, oneWrap: true, cwd: ['/somewhere', '/somewhere'] })
  })
})
