import childProcess, {
  exec,
  execFile,
  execFileSync,
  execSync,
  fork,
  spawn,
  spawnSync,
} from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'

import { describe, expect, it } from 'vitest'

import { startRun, type Run } from '../../support/start-run.ts'
import { thrownBy } from '../../../support/thrown.ts'

const asText = { encoding: 'utf8' } as const

/** Every way to start a process, each telling the working directory that the process had. */
const ways: readonly [string, (options?: { cwd?: string | URL }) => Promise<string>][] = [
  ['spawn', options => text(spawn('pwd', options ?? {}).stdout)],
  ['spawn with arguments', options => text(spawn('sh', ['-c', 'pwd'], options ?? {}).stdout)],
  ['exec', async options => (await promisify(exec)('pwd', { ...options, ...asText })).stdout],
  ['execFile', async options => (await promisify(execFile)('pwd', [], { ...options, ...asText })).stdout],
  ['spawnSync', options => Promise.resolve(spawnSync('pwd', { ...options, ...asText }).stdout)],
  [
    'spawnSync with arguments',
    options => Promise.resolve(spawnSync('pwd', [], { ...options, ...asText }).stdout),
  ],
  ['execSync', options => Promise.resolve(execSync('pwd', { ...options, ...asText }))],
  ['execFileSync', options => Promise.resolve(execFileSync('pwd', { ...options, ...asText }))],
  [
    'execFileSync with arguments',
    options => Promise.resolve(execFileSync('pwd', [], { ...options, ...asText })),
  ],
]

/** The same with nothing where options could be. */
const bare: readonly [string, () => string][] = [
  ['spawnSync(file)', () => spawnSync('pwd').stdout.toString()],
  ['spawnSync(file, [])', () => spawnSync('pwd', []).stdout.toString()],
  ['spawnSync(file, undefined, undefined)', () => spawnSync('pwd', undefined, undefined).stdout.toString()],
  ['spawnSync(file, [], undefined)', () => spawnSync('pwd', [], undefined).stdout.toString()],
  ['execSync(command)', () => execSync('pwd').toString()],
  ['execSync(command, undefined)', () => execSync('pwd', undefined).toString()],
  ['execFileSync(file)', () => execFileSync('pwd').toString()],
  ['execFileSync(file, undefined)', () => execFileSync('pwd', undefined).toString()],
  ['execFileSync(file, [], undefined)', () => execFileSync('pwd', [], undefined).toString()],
]

describe('a process that is started inside a run', () => {
  it.each(ways)("by %s without cwd gets the run's", async (_way, start) => {
    const { inside, host } = await startRun()
    expect(await inside(() => start())).toBe(`${host.cwd}\n`)
    expect(await start()).toBe(`${process.cwd()}\n`)
  })

  it.each(bare)("by %s gets the run's cwd", async (_way, start) => {
    const { inside, host } = await startRun()
    expect(inside(start)).toBe(`${host.cwd}\n`)
    expect(start()).toBe(`${process.cwd()}\n`)
  })

  it.each(ways)("by %s keeps a cwd of its own, which may be relative to the run's", async (_way, start) => {
    const { inside, host } = await startRun()
    mkdirSync(`${host.cwd}/sub`)
    expect(await inside(() => start({ cwd: '/' }))).toBe('/\n')
    expect(await inside(() => start({ cwd: 'sub' }))).toBe(`${host.cwd}/sub\n`)
    expect(await inside(() => start({ cwd: pathToFileURL(`${host.cwd}/sub`) }))).toBe(`${host.cwd}/sub\n`)
  })

  it.each(ways)(
    "by %s in a folder of the virtual disk throws, and says workspace: 'disk'",
    async (_way, start) => {
      const { inside, host } = await startRun()
      const { sessions } = host.folders
      for (const cwd of [sessions, pathToFileURL(sessions)]) {
        const error = await thrownBy(() => inside(() => start({ cwd })))
        expect(error).toMatchObject({ code: 'ISOLATION', details: { cwd: sessions } })
        expect((error as Error).message).toContain("workspace: 'disk'")
      }
      const memory = await startRun({ workspace: 'memory' })
      expect(await thrownBy(() => memory.inside(() => start()))).toMatchObject({ code: 'ISOLATION' })
    },
  )

  it("by fork gets the run's cwd and environment", async () => {
    const { inside, host } = await startRun({ env: () => ({ OWN: 'yes' }) })
    writeFileSync(`${host.cwd}/child.mjs`, 'process.send([process.cwd(), process.env.OWN])')
    const [message] = (await inside(() => once(fork('./child.mjs'), 'message'))) as unknown[]
    expect(message).toEqual([host.cwd, 'yes'])
  })

  it('tells what happens to it inside the run', async () => {
    const { inside, host } = await startRun()
    const { promise, resolve } = Promise.withResolvers<unknown>()
    inside(() => spawn('true').on('close', () => resolve(process.cwd())))
    expect(await promise).toBe(host.cwd)
  })

  it('reports options that are none as Node does', async () => {
    const { inside } = await startRun()
    const wrong = (options: unknown) => spawnSync('pwd', [], options as object)
    expect(await thrownBy(() => inside(() => wrong(7)))).toMatchObject({ code: 'ERR_INVALID_ARG_TYPE' })
    const bareSpawn = (): unknown => {
      const child = new childProcess.ChildProcess() as unknown as { spawn(options: null): unknown }
      return child.spawn(null)
    }
    expect(await thrownBy(() => inside(bareSpawn))).toMatchObject({ code: 'ERR_INVALID_ARG_TYPE' })
  })
})

describe('a worker that is started inside a run', () => {
  const code = 'require("worker_threads").parentPort.postMessage(process.env.OWN ?? "none")'
  const tell = async ({ inside }: Run, env?: NodeJS.ProcessEnv): Promise<unknown> => {
    const worker = inside(() => new Worker(code, { eval: true, ...(env === undefined ? {} : { env }) }))
    const [message] = (await once(worker, 'message')) as unknown[]
    await worker.terminate()
    return message
  }

  it("gets the run's environment", async () => {
    expect(await tell(await startRun({ env: () => ({ OWN: 'yes' }) }))).toBe('yes')
  })

  it('keeps an environment of its own', async () => {
    expect(await tell(await startRun({ env: () => ({ OWN: 'yes' }) }), { OWN: 'other' })).toBe('other')
  })

  it('is an instance of the one Worker, inside and outside', async () => {
    const { inside } = await startRun()
    const worker = inside(() => new Worker('', { eval: true }))
    expect(worker).toBeInstanceOf(Worker)
    await worker.terminate()
    const outside = new Worker('', { eval: true })
    expect(outside).toBeInstanceOf(Worker)
    await outside.terminate()
  })
})
