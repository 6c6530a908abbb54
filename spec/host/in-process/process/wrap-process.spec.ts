import nodeConsole from 'node:console'
import os, { homedir, tmpdir } from 'node:os'
import path from 'node:path'
import process, { cwd } from 'node:process'

import { describe, expect, it } from 'vitest'

import { startRun, type Run } from '../../support/start-run.ts'
import { thrownBy } from '../../../support/thrown.ts'

/** What the agent has written to standard output, once it has ended. */
async function outputOf({ host }: Run): Promise<string> {
  const reading = new Response(host.stdio.output).text()
  await host.dispose()
  return await reading
}

describe('the working directory', () => {
  it("is the run's own for named imports that were made before the first run", async () => {
    const before = process.cwd()
    const { inside, host } = await startRun()
    expect(inside(() => cwd())).toBe(host.cwd)
    expect(inside(() => process.cwd())).toBe(host.cwd)
    expect(inside(() => path.resolve('x'))).toBe(`${host.cwd}/x`)
    expect([cwd(), process.cwd(), path.resolve('x')]).toEqual([before, before, `${before}/x`])
  })

  it('cannot be changed inside a run: other runs share the process', async () => {
    const { inside, host } = await startRun()
    const error = await thrownBy(() => inside(() => process.chdir('/tmp')))
    expect(error).toMatchObject({ code: 'ISOLATION' })
    expect((error as Error).message).toContain('process.chdir("/tmp")')
    expect(inside(() => process.cwd())).toBe(host.cwd)
  })

  it('is left to the process outside of every run', async () => {
    await startRun()
    // A worker thread has no chdir, and says so; a process goes nowhere here.
    const inThread = !process.title.includes('node') || !('send' in process)
    const error: unknown = await Promise.resolve()
      .then(() => process.chdir('.'))
      .catch((reason: unknown) => reason)
    if (inThread && error !== undefined)
      expect(error).toMatchObject({ code: 'ERR_WORKER_UNSUPPORTED_OPERATION' })
    else expect(error).toBeUndefined()
  })
})

describe("the user's folders", () => {
  it("are the run's own, though os.homedir and os.tmpdir read no replaced environment", async () => {
    const before = [homedir(), tmpdir(), os.userInfo()]
    const { inside, host } = await startRun()
    expect(inside(() => homedir())).toBe(host.folders.home)
    expect(inside(() => os.userInfo())).toMatchObject({ username: 'user', homedir: host.folders.home })
    expect([homedir(), tmpdir(), os.userInfo()]).toEqual(before)
  })

  it('follow HOME where a run is given another', async () => {
    const { inside } = await startRun({ env: () => ({ HOME: '/somewhere' }) })
    expect(inside(() => homedir())).toBe('/somewhere')
    expect(inside(() => os.userInfo().homedir)).toBe('/somewhere')
  })

  it("are the run's own still where HOME is empty or gone", async () => {
    const { inside, host } = await startRun({ env: () => ({ HOME: '' }) })
    expect(inside(() => homedir())).toBe(host.folders.home)
    inside(() => delete process.env.HOME)
    expect(inside(() => homedir())).toBe(host.folders.home)
  })

  it('give user names as the encoding that was asked for', async () => {
    const { inside, host } = await startRun()
    const info = inside(() => os.userInfo({ encoding: 'buffer' }))
    expect(info).toMatchObject({ username: Buffer.from('user'), homedir: Buffer.from(host.folders.home) })
  })

  it('have one temporary folder for all runs: plugins keep the first that they make there', async () => {
    const [one, two] = [await startRun(), await startRun()]
    const temp = one.inside(() => tmpdir())
    expect(two.inside(() => os.tmpdir())).toBe(temp)
    expect(temp).not.toBe(tmpdir())
    expect(one.host.folders.temp).not.toBe(two.host.folders.temp)
  })
})

describe('standard streams', () => {
  it("are the run's own: what a console prints is in the agent's output, in order", async () => {
    const run = await startRun()
    run.inside(() => {
      console.log('one %d', 1)
      process.stdout.write('two\n')
      nodeConsole.log('three')
      console.table([])
      console.info('four')
      console.error('an error')
      nodeConsole.warn('a warning')
      process.stderr.write('bytes\n')
    })
    expect(run.host.diagnostics()).toBe('an error\na warning\nbytes\n')
    expect(await outputOf(run)).toMatch(/^one 1\ntwo\nthree\n[^a-z]*\(index\)[^a-z]*four\n$/)
  })

  it('of two runs, whose consoles count and group for themselves', async () => {
    const [one, two] = [await startRun(), await startRun()]
    for (const { inside } of [one, two, one]) {
      inside(() => {
        console.count('seen')
        nodeConsole.group('in')
      })
    }
    two.inside(() => console.log('deep'))
    expect(await outputOf(one)).toBe('seen: 1\nin\n  seen: 2\n  in\n')
    expect(await outputOf(two)).toBe('seen: 1\nin\n  deep\n')
  })

  it('have every function that the real console has', async () => {
    const run = await startRun()
    for (const target of [console, nodeConsole]) {
      for (const [name, value] of Object.entries(target)) {
        if (typeof value !== 'function' || name === 'Console' || name.startsWith('_')) continue
        run.inside(() => (value as (...args: unknown[]) => unknown).call(target, 'x'))
      }
    }
  })

  it('go to the real place outside of every run, also after one has printed', async () => {
    const run = await startRun()
    run.inside(() => nodeConsole.log('inside'))
    // The console keeps the stream that it sees first.
    expect(Reflect.get(nodeConsole, '_stdout')).toBe(process.stdout)
    expect(run.inside(() => process.stdout)).not.toBe(process.stdout)
    expect(await outputOf(run)).toBe('inside\n')
  })

  it('give standard input to an agent that takes it from the process', async () => {
    const { promise: heard, resolve } = Promise.withResolvers<unknown>()
    const { promise: ended, resolve: end } = Promise.withResolvers<unknown>()
    const echo = {
      name: 'echo',
      apply: () => {
        process.stdin.on('data', (bytes: Buffer) => resolve([bytes.toString(), process.cwd()]))
        process.stdin.on('end', () => end(process.cwd()))
      },
    }
    const { host } = await startRun({ plugins: [echo] })
    const writer = host.stdio.input.getWriter()
    await writer.write(Buffer.from('hello'))
    // The listener runs in the run, though the bytes were written outside of it.
    expect(await heard).toEqual(['hello', host.cwd])
    await writer.close()
    expect(await ended).toBe(host.cwd)
  })
})

describe('process listeners', () => {
  it('hang on the run and go with it', async () => {
    const names = ['exit', 'SIGINT', 'unhandledRejection', 'warning', 'own'] as const
    const run = await startRun()
    const counts = () => names.map(name => process.listenerCount(name))
    const before = counts()
    const limit = process.getMaxListeners()
    const listener = (): void => undefined
    run.inside(() => {
      for (const name of names as readonly 'exit'[]) {
        expect(process.on(name, listener)).toBe(process)
        process.once(name, listener)
        process.prependListener(name, listener)
      }
      process.setMaxListeners(99)
      expect(counts()).toEqual(names.map(() => 3))
      expect(process.listeners('exit')).toEqual([listener, listener, listener])
      expect(process.eventNames()).toEqual([...names])
      process.off('exit', listener)
      process.removeAllListeners('own')
      expect(counts()).toEqual([2, 3, 3, 3, 0])
    })
    expect(counts()).toEqual(before)
    expect(process.getMaxListeners()).toBe(limit)
    expect(process.eventNames()).not.toContain('own')
    await run.host[Symbol.asyncDispose]()
    expect(run.inside(() => counts())).toEqual([0, 0, 0, 0, 0])
  })

  it('are called when the run ends, inside it', async () => {
    const run = await startRun()
    const seen: unknown[] = []
    run.inside(() => process.on('exit', code => seen.push([code, process.cwd()])))
    await run.host.dispose()
    await run.host[Symbol.asyncDispose]()
    expect(seen).toEqual([[0, run.host.cwd]])
  })

  it("that throw at the end fail the disposal, and the run's folders go all the same", async () => {
    const { readdirSync } = await import('node:fs')
    const run = await startRun()
    run.inside(() =>
      process.on('exit', () => {
        throw new Error('at exit')
      }),
    )
    const parent = path.dirname(run.host.folders.real)
    expect(readdirSync(parent)).toContain(run.host.folders.key)
    const other = await startRun()
    await expect(run.host.dispose()).rejects.toThrow('at exit')
    await run.host[Symbol.asyncDispose]()
    expect(readdirSync(parent)).toEqual(expect.arrayContaining([other.host.folders.key]))
    expect(readdirSync(parent)).not.toContain(run.host.folders.key)
  })

  it('hear what the run emits; what nobody hears there goes to the process', async () => {
    const run = await startRun()
    const heard: unknown[] = []
    const outside = (value: unknown): void => void heard.push(['outside', value])
    process.on('own', outside)
    run.inside(() => process.emit('own' as never, 1 as never))
    run.inside(() => process.on('own', value => heard.push(['inside', value])))
    run.inside(() => process.emit('own' as never, 2 as never))
    process.emit('own' as never, 3 as never)
    process.off('own', outside)
    expect(heard).toEqual([
      ['outside', 1],
      ['inside', 2],
      ['outside', 3],
    ])
  })

  it('of other runs are not called', async () => {
    const [one, two] = [await startRun(), await startRun()]
    let called = 0
    two.inside(() => process.on('exit', () => (called += 1)))
    await one.host[Symbol.asyncDispose]()
    expect(called).toBe(0)
  })
})
