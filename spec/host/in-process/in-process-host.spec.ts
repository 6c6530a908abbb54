import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { describe, expect, it } from 'vitest'

import { slot } from '../../../src/host/in-process/scope.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { startRun } from '../support/start-run.ts'
import { problemOf, thrownBy } from '../../support/thrown.ts'

interface SpecContext {
  effect(run: () => () => unknown): void
  emit(event: string, ...args: unknown[]): void
}

/** A plugin that keeps something which it gives back by `release`. */
const holder = (release: () => unknown) => ({
  name: 'holder',
  apply: (ctx: SpecContext) => ctx.effect(() => release),
})

describe('a host', () => {
  it('starts with the workspace that it is given, and shows it as the agent left it', async () => {
    const source = tempFolder({ 'a.txt': 'a', 'sub/b.txt': 'b' })
    const { inside, host } = await startRun({ workspaceSource: source })
    expect([...host.workspace().keys()]).toEqual(['a.txt', 'sub/b.txt'])
    inside(() => {
      fs.writeFileSync('a.txt', 'changed')
      fs.rmSync('sub', { recursive: true })
    })
    await host.dispose()
    expect([...host.workspace()].map(([name, content]) => [name, content.toString()])).toEqual([
      ['a.txt', 'changed'],
    ])
    expect(fs.readFileSync(`${source}/a.txt`, 'utf8')).toBe('a')
  })

  it('makes the working directory where it is told to', async () => {
    const parent = tempFolder()
    const { inside, host } = await startRun({ workspaceParent: parent })
    expect(path.dirname(host.cwd)).toBe(parent)
    expect(inside(() => process.cwd())).toBe(host.cwd)
    await host[Symbol.asyncDispose]()
    expect(fs.readdirSync(parent)).toEqual([])
  })

  it('starts inside another run too, as a tool of an agent may start one', async () => {
    const outer = await startRun({ env: () => ({ OWN: 'outer' }) })
    const inner = await outer.inside(() => startRun({ workspaceSource: { a: '' } }))
    expect(inner.inside(() => [process.cwd(), fs.readdirSync('.')])).toEqual([inner.host.cwd, ['a']])
    expect(inner.inside(() => process.env.OWN)).toBeUndefined()
    await outer.inside(() => inner.host[Symbol.asyncDispose]())
    expect(fs.existsSync(inner.host.folders.real)).toBe(false)
    expect(outer.inside(() => process.cwd())).toBe(outer.host.cwd)
  })

  it('times its parts', async () => {
    const slow = { name: 'slow', apply: () => delay(20) }
    const { host } = await startRun({ plugins: [slow, holder(() => delay(20))] })
    expect(host.timings.mount).toBeGreaterThanOrEqual(15)
    expect(host.timings.import).toBeGreaterThan(0)
    expect(host.timings.dispose).toBe(0)
    await host.dispose()
    expect(host.timings.dispose).toBeGreaterThanOrEqual(15)
  })

  it('follows the sessions that the agent logs', async () => {
    let emit: SpecContext['emit'] | undefined
    const logger = { name: 'logger', apply: (ctx: SpecContext) => void (emit = ctx.emit.bind(ctx)) }
    const { host } = await startRun({ plugins: [logger] })
    const data = {}
    const waiting = host.journal.until(sessions => sessions[1]?.parentSession, AbortSignal.timeout(1000))
    emit?.('session/event', { header: { id: 'a' } }, { type: 'turn/start', seq: 0, data })
    emit?.('session/event', { header: { id: 'b', parentSession: 'a' } }, { type: 'turn/start', seq: 0, data })
    expect(await waiting).toBe('a')
    expect(host.journal.sessions[0]).toEqual({ id: 'a', events: [{ type: 'turn/start', seq: 0, data }] })
  })

  it.each(['disk', 'memory'] as const)('waits for a file of the working directory (%s)', async workspace => {
    const { inside, host } = await startRun({ workspace })
    const waiting = host.waitForFile('sub/ready', AbortSignal.timeout(2000))
    inside(() => {
      fs.mkdirSync('sub')
      fs.writeFileSync('sub/ready', '')
    })
    await waiting
    expect([...host.workspace().keys()]).toEqual(['sub/ready'])
  })

  it('removes the folders of a run whose start fails', async () => {
    const keep = await startRun()
    const parent = path.dirname(keep.host.folders.real)
    const before = fs.readdirSync(parent)
    const live = slot.live.size
    await thrownBy(() =>
      startRun({ plugins: [{ name: 'fails', apply: () => Promise.reject(new Error('no')) }] }),
    )
    await thrownBy(() =>
      startRun({
        env: () => {
          throw new Error('no')
        },
      }),
    )
    expect(fs.readdirSync(parent)).toEqual(before)
    expect(slot.live.size).toBe(live)
  })
})

describe('disposal', () => {
  it('waits for what plugins give back, inside the run', async () => {
    const seen: unknown[] = []
    const plugin = holder(async () => {
      await delay(5)
      fs.writeFileSync('flushed', '')
      seen.push(process.cwd())
    })
    const { host } = await startRun({ plugins: [plugin] })
    await host.dispose()
    expect(seen).toEqual([host.cwd])
    expect([...host.workspace().keys()]).toEqual(['flushed'])
  })

  it('happens once, however often it is asked for', async () => {
    let times = 0
    const { host } = await startRun({ plugins: [holder(() => (times += 1))] })
    await Promise.all([host.dispose(), host.dispose()])
    await host[Symbol.asyncDispose]()
    await host[Symbol.asyncDispose]()
    expect(times).toBe(1)
  })

  it('ends the output: what is written later is dropped', async () => {
    const { inside, host } = await startRun()
    const reading = new Response(host.stdio.output).text()
    inside(() => process.stdout.write('before\n'))
    await host.dispose()
    inside(() => process.stdout.write('after\n'))
    expect(await reading).toBe('before\n')
  })

  it('gives up at its deadline where a plugin never lets go, names the composition, and removes the folders all the same', async () => {
    const { host } = await startRun({
      plugins: [holder(() => new Promise(() => undefined))],
      disposeTimeoutMs: 30,
    })
    const error = await problemOf(() => host.dispose())
    expect(error.code).toBe('DEADLINE_EXCEEDED')
    expect(error.message).toMatch(
      /cordis\.yml: the composition did not finish disposing\. .* \(waited 30 ms\)/,
    )
    expect(fs.existsSync(host.cwd)).toBe(true)
    await host[Symbol.asyncDispose]()
    expect(fs.existsSync(host.folders.real)).toBe(false)
  })

  it('by `await using` never throws: what went wrong in the block says more', async () => {
    const work = async (): Promise<void> => {
      const { host } = await startRun({
        plugins: [holder(() => new Promise(() => undefined))],
        disposeTimeoutMs: 20,
      })
      await using _ = host // eslint-disable-line @typescript-eslint/no-unused-vars -- disposed at the end of the block
      throw new Error('the reason')
    }
    expect(await thrownBy(work)).toMatchObject({ message: 'the reason' })
  })

  it('of one run leaves the folders of another alone, also when it is asked for twice', async () => {
    const [one, two] = [await startRun(), await startRun()]
    await one.host[Symbol.asyncDispose]()
    await one.host[Symbol.asyncDispose]()
    expect(two.inside(() => fs.readdirSync('.'))).toEqual([])
    expect(fs.existsSync(two.host.cwd)).toBe(true)
  })

  it('fails, and keeps what a plugin complains of while it goes', async () => {
    const { host } = await startRun({ plugins: [holder(() => Promise.reject(new Error('could not flush')))] })
    await expect(host.dispose()).rejects.toMatchObject({
      code: 'COMPOSITION_FAILED',
      message: expect.stringContaining(
        'failed while the composition was disposed: could not flush',
      ) as string,
    })
    expect(host.diagnostics()).toContain('could not flush')
  })
})
