import fs, { existsSync, readFileSync } from 'node:fs'
import { open, readFile, writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

import { beforeEach, describe, expect, it } from 'vitest'

import { startRun, type Run } from '../../support/start-run.ts'
import { thrownBy } from '../../../support/thrown.ts'
import { tempFolder } from '../../../support/temp-folder.ts'

let run: Run
/** A folder of the run's virtual disk. */
let virtual: string

beforeEach(async () => {
  run = await startRun()
  virtual = run.host.folders.sessions
})

/** fs.exists is deprecated and still used. */
const exists = (): ((file: string) => Promise<boolean>) => {
  const original: unknown = Reflect.get(fs, 'exists')
  return promisify(original as (file: string, callback: (error: null, found: boolean) => void) => void)
}

/** Calls inside the run. */
const inside = <T>(body: () => T): T => run.inside(body)

describe('node:fs inside a run', () => {
  it('serves named imports that were made before the first run', async () => {
    await inside(() => writeFile(`${virtual}/a`, 'virtual'))
    expect(inside(() => readFileSync(`${virtual}/a`, 'utf8'))).toBe('virtual')
    expect(await inside(() => readFile(`${virtual}/a`, 'utf8'))).toBe('virtual')
    expect(inside(() => existsSync(`${virtual}/a`))).toBe(true)
    expect(existsSync(`${virtual}/a`)).toBe(false)
  })

  it('serves synchronous, callback and promise functions alike', async () => {
    inside(() => fs.writeFileSync(`${virtual}/sync`, '1'))
    await inside(() => promisify(fs.writeFile)(`${virtual}/callback`, '2'))
    await inside(() => fs.promises.writeFile(`${virtual}/promise`, '3'))
    expect(inside(() => fs.readdirSync(virtual))).toEqual(['callback', 'promise', 'sync'])
    expect(await inside(() => promisify(fs.readFile)(`${virtual}/sync`, 'utf8'))).toBe('1')
    expect(await inside(() => fs.promises.readFile(`${virtual}/callback`, 'utf8'))).toBe('2')
    expect(run.host.logs().get('promise')?.toString()).toBe('3')
  })

  it('takes paths as URL and as bytes', async () => {
    inside(() => fs.writeFileSync(pathToFileURL(`${virtual}/a b`), 'x'))
    expect(await inside(() => readFile(Buffer.from(`${virtual}/a b`), 'utf8'))).toBe('x')
    expect(run.host.logs().get('a b')?.toString()).toBe('x')
  })

  it('serves descriptors, which count down from 2^31 - 1', async () => {
    const descriptor = inside(() => fs.openSync(`${virtual}/a`, 'w+'))
    expect(descriptor).toBeGreaterThan(2 ** 30)
    inside(() => fs.writeSync(descriptor, 'hello'))
    inside(() => fs.fsyncSync(descriptor))
    expect(inside(() => fs.fstatSync(descriptor).size)).toBe(5)
    const buffer = Buffer.alloc(5)
    expect(await inside(() => promisify(fs.read)(descriptor, buffer, 0, 5, 0))).toEqual({
      bytesRead: 5,
      buffer,
    })
    expect(buffer.toString()).toBe('hello')
    inside(() => fs.ftruncateSync(descriptor, 2))
    inside(() => fs.closeSync(descriptor))
    expect(inside(() => fs.readFileSync(`${virtual}/a`, 'utf8'))).toBe('he')
  })

  it('keeps what util.promisify reads off fs.read and fs.exists', async () => {
    inside(() => fs.writeFileSync(`${virtual}/a`, 'x'))
    expect(await inside(() => exists()(`${virtual}/a`))).toBe(true)
    expect(await inside(() => exists()(`${virtual}/b`))).toBe(false)
    const file = `${tempFolder({ a: 'real' })}/a`
    const descriptor = fs.openSync(file, 'r')
    expect(await promisify(fs.read)(descriptor, Buffer.alloc(4), 0, 4, 0)).toMatchObject({ bytesRead: 4 })
    fs.closeSync(descriptor)
    expect(await exists()(file)).toBe(true)
  })

  it('has all that the JSONL backend needs of memfs', async () => {
    await inside(async () => {
      await fs.promises.mkdir(`${virtual}/p/s`, { recursive: true })
      const file = `${virtual}/p/s/session.jsonl`
      const created = await open(file, 'wx')
      await created.writeFile('one\n')
      await created.sync()
      await created.close()
      expect(await thrownBy(() => open(file, 'wx'))).toMatchObject({ code: 'EEXIST' })

      const appended = await open(file, 'a')
      await appended.writeFile('two\nrest')
      expect((await appended.stat()).size).toBe(12)
      await appended.close()
      const changed = await open(file, 'r+')
      await changed.truncate(8)
      await changed.close()
      const read = await open(file, 'r')
      const { bytesRead, buffer } = await read.read(Buffer.alloc(4), 0, 4, 4)
      expect([bytesRead, buffer.toString()]).toEqual([4, 'two\n'])
      await read.close()

      const folder = await open(`${virtual}/p/s`, 'r')
      await folder.sync()
      await folder.close()
      await fs.promises.link(file, `${virtual}/p/s/lock`)
      await fs.promises.rm(`${virtual}/p/s/lock`)
      await fs.promises.truncate(file, 4)
      expect(await readFile(file, 'utf8')).toBe('one\n')
      expect(await fs.promises.realpath(`${virtual}/p/../p/s`)).toBe(`${virtual}/p/s`)
      expect(typeof (await fs.promises.stat(file, { bigint: true })).mtimeNs).toBe('bigint')
      const [entry] = await fs.promises.readdir(`${virtual}/p`, { withFileTypes: true })
      expect([entry?.name, entry?.isDirectory()]).toEqual(['s', true])
    })
  })

  it('reads through streams', async () => {
    inside(() => fs.writeFileSync(`${virtual}/a`, 'streamed'))
    const text = await inside(async () => {
      let read = ''
      for await (const chunk of fs.createReadStream(`${virtual}/a`, { encoding: 'utf8', highWaterMark: 3 }))
        read += String(chunk)
      return read
    })
    expect(text).toBe('streamed')
  })

  it('writes through streams', async () => {
    const { promise, resolve, reject } = Promise.withResolvers<undefined>()
    inside(() => {
      const stream = fs.createWriteStream(`${virtual}/a`)
      stream.on('close', () => resolve(undefined)).on('error', reject)
      stream.write('one ')
      stream.end('two')
    })
    await promise
    expect(run.host.logs().get('a')?.toString()).toBe('one two')
  })

  it('has realpath.native', async () => {
    inside(() => fs.mkdirSync(`${virtual}/a/b`, { recursive: true }))
    expect(inside(() => fs.realpathSync.native(`${virtual}/a/../a`))).toBe(`${virtual}/a`)
    expect(await inside(() => promisify(fs.realpath.native)(`${virtual}/a/b`))).toBe(`${virtual}/a/b`)
    expect(inside(() => fs.realpathSync.native('.'))).toBe(run.host.cwd)
    expect(fs.realpathSync.native('.')).toBe(fs.realpathSync(process.cwd()))
  })

  it('makes temporary folders and opens folders', async () => {
    const made = inside(() => fs.mkdtempSync(`${virtual}/x-`))
    expect(made).toMatch(/\/x-\w{6}$/)
    expect(inside(() => fs.mkdtempSync(`${virtual}/`))).toMatch(/sessions\/\w{6}$/)
    const names = await inside(async () => {
      const found: string[] = []
      for await (const entry of await fs.promises.opendir(virtual)) found.push(entry.name)
      return found
    })
    expect(names).toHaveLength(2)
    const folder = inside(() => fs.opendirSync(virtual))
    expect(names).toContain(inside(() => folder.readSync())?.name)
    inside(() => folder.closeSync())
  })

  it('watches', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const watcher = inside(() => fs.watch(virtual, (_event, name) => resolve(name)))
    inside(() => fs.writeFileSync(`${virtual}/new`, ''))
    expect(await promise).toBe('new')
    watcher.close()
  })

  it('does not start a watch whose signal is aborted, and does not throw either', async () => {
    const watcher = inside(() => fs.watch(virtual, { signal: AbortSignal.abort() }))
    let events = 0
    watcher.on('change', () => (events += 1))
    inside(() => fs.writeFileSync(`${virtual}/new`, ''))
    await new Promise(resolve => setImmediate(resolve))
    expect(events).toBe(0)
  })

  it('keeps symbolic links as the text that they are', () => {
    inside(() => {
      fs.writeFileSync(`${virtual}/a`, 'x')
      fs.symlinkSync('a', `${virtual}/relative`)
      fs.symlinkSync('/etc/hosts', `${virtual}/absolute`)
      expect(fs.readlinkSync(`${virtual}/relative`)).toBe('a')
      expect(fs.readlinkSync(`${virtual}/absolute`)).toBe('/etc/hosts')
      expect(fs.readFileSync(`${virtual}/relative`, 'utf8')).toBe('x')
      fs.symlinkSync('../elsewhere', 'link')
    })
    expect(fs.readlinkSync(`${run.host.cwd}/link`)).toBe('../elsewhere')
  })

  it('globs over the disk that is meant', async () => {
    inside(() => fs.writeFileSync(`${virtual}/v.txt`, ''))
    fs.writeFileSync(`${run.host.cwd}/r.txt`, '')
    expect(inside(() => fs.globSync('*.txt'))).toEqual(['r.txt'])
    expect(inside(() => fs.globSync('*.txt', { cwd: virtual }))).toEqual(['v.txt'])
    expect(await inside(() => Array.fromAsync(fs.promises.glob('*.txt', { cwd: virtual })))).toEqual([
      'v.txt',
    ])
    expect(await inside(() => promisify(fs.glob)('*.txt'))).toEqual(['r.txt'])
    expect(() => inside(() => fs.promises.glob(['*.txt', `${virtual}/*`]))).toThrow('virtual disk')
  })

  it('gives EXDEV for two paths across the border, as a callback, a promise and a throw', async () => {
    fs.writeFileSync(`${run.host.cwd}/a`, 'x')
    const across = [`${run.host.cwd}/a`, `${virtual}/a`] as const
    const expected = { code: 'EXDEV', syscall: 'rename', path: across[0], dest: across[1] }
    expect(await thrownBy(() => inside(() => fs.renameSync(...across)))).toMatchObject(expected)
    expect(await thrownBy(() => inside(() => fs.promises.rename(...across)))).toMatchObject(expected)
    expect(await thrownBy(() => inside(() => promisify(fs.rename)(...across)))).toMatchObject(expected)
    expect(await thrownBy(() => inside(() => fs.promises.copyFile('a', `${virtual}/a`)))).toMatchObject({
      code: 'EXDEV',
    })
    expect(fs.readFileSync(across[0], 'utf8')).toBe('x')
  })

  it.each(['mkdtempDisposable', 'openAsBlob'] as const)('refuses %s, which memfs has not', async name => {
    const call: unknown = Reflect.get(name === 'openAsBlob' ? fs : fs.promises, name)
    const error = await thrownBy(() => inside(() => (call as (file: string) => unknown)(`${virtual}/x`)))
    expect(error).toMatchObject({ code: 'ISOLATION' })
  })

  it('refuses mkdtempDisposableSync and makes nothing on the real disk', async () => {
    const call = Reflect.get(fs, 'mkdtempDisposableSync') as (prefix: string) => unknown
    expect(await thrownBy(() => inside(() => call(`${virtual}/x`)))).toMatchObject({ code: 'ISOLATION' })
    expect(existsSync(virtual)).toBe(false)
  })

  it('refuses a function that is routed where memfs lacks it', async () => {
    const disk = run.host.folders.disk
    const lchmod = Reflect.get(disk, 'chmodSync') as unknown
    Reflect.set(disk, 'chmodSync', undefined)
    expect(await thrownBy(() => inside(() => fs.chmodSync(`${virtual}/x`, 0o600)))).toMatchObject({
      code: 'ISOLATION',
    })
    Reflect.set(disk, 'chmodSync', lchmod)
  })

  it('refuses an aborted signal as Node does', async () => {
    const signal = AbortSignal.abort(new Error('enough'))
    const file = `${virtual}/a`
    inside(() => fs.writeFileSync(file, 'before'))
    const real = await thrownBy(() => readFile(import.meta.filename, { signal }))
    const reads = await thrownBy(() => inside(() => readFile(file, { signal })))
    expect(reads).toMatchObject({ name: 'AbortError', code: 'ABORT_ERR', cause: signal.reason as unknown })
    expect(reads).toMatchObject({
      message: (real as Error).message,
      code: (real as NodeJS.ErrnoException).code,
    })
    const writes = await thrownBy(() => inside(() => promisify(fs.writeFile)(file, 'after', { signal })))
    expect(writes).toMatchObject({ code: 'ABORT_ERR' })
    expect(inside(() => fs.readFileSync(file, 'utf8'))).toBe('before')
    const { signal: open } = new AbortController()
    expect(await inside(() => readFile(file, { encoding: 'utf8', signal: open }))).toBe('before')
  })

  it('gives errors with the codes that the real disk gives', async () => {
    for (const folder of [virtual, run.host.cwd]) {
      await inside(async () => {
        fs.mkdirSync(`${folder}/full`)
        fs.writeFileSync(`${folder}/full/file`, '')
        expect(await thrownBy(() => readFile(`${folder}/none`))).toMatchObject({
          code: 'ENOENT',
          errno: -2,
          syscall: 'open',
        })
        expect(await thrownBy(() => fs.mkdirSync(`${folder}/full`))).toMatchObject({ code: 'EEXIST' })
        expect(await thrownBy(() => fs.rmdirSync(`${folder}/full`))).toMatchObject({ code: 'ENOTEMPTY' })
        expect(await thrownBy(() => fs.readdirSync(`${folder}/full/file`))).toMatchObject({ code: 'ENOTDIR' })
        expect(fs.statSync(`${folder}/none`, { throwIfNoEntry: false })).toBeUndefined()
        await fs.promises.rm(`${folder}/none`, { force: true })
      })
    }
  })

  it('rejects, and does not throw, where Node rejects', () => {
    const promise = inside(() => fs.promises.readFile(new URL('file://host/x')))
    return expect(promise).rejects.toMatchObject({ code: 'ERR_INVALID_FILE_URL_HOST' })
  })

  it('throws where a callback is missing', () => {
    const rename = fs.rename as unknown as (from: string, to: string) => void
    expect(() => inside(() => rename('/tmp/a', `${virtual}/a`))).toThrow('EXDEV')
  })
})

describe('the real disk inside a run', () => {
  it('is there under absolute paths', () => {
    expect(inside(() => readFileSync(import.meta.filename, 'utf8'))).toContain(
      'is there under absolute paths',
    )
  })

  it("takes relative paths as against the run's working directory", async () => {
    const { cwd } = run.host
    fs.mkdirSync(`${cwd}/sub`)
    await inside(async () => {
      await writeFile('a', '1')
      fs.copyFileSync('a', 'sub/b')
      expect(await readFile(Buffer.from('sub/b'), 'utf8')).toBe('1')
      expect(fs.readdirSync('.')).toEqual(['a', 'sub'])
      expect(existsSync('package.json')).toBe(false)
      expect(await (await fs.openAsBlob('a')).text()).toBe('1')
      using folder = fs.mkdtempDisposableSync('made-')
      expect(fs.realpathSync(folder.path)).toContain(`${cwd}/made-`)
    })
    expect(fs.readdirSync(cwd)).toEqual(['a', 'sub'])
  })

  it('follows a link before the dots behind it, as the system does', () => {
    const target = tempFolder({ 'inner/x': 'far', y: 'parent of the target' })
    fs.symlinkSync(`${target}/inner`, `${run.host.cwd}/link`)
    expect(inside(() => readFileSync('link/../y', 'utf8'))).toBe('parent of the target')
    expect(inside(() => readFileSync(`${run.host.cwd}/link/../y`, 'utf8'))).toBe('parent of the target')
  })

  it('has file handles', async () => {
    const text = await inside(async () => {
      await using handle = await open('a', 'w+')
      await handle.writeFile('handled')
      return await readFile(`${run.host.cwd}/a`, 'utf8')
    })
    expect(text).toBe('handled')
  })
})

describe('node:fs outside of every run', () => {
  it('is what it always was', async () => {
    expect(existsSync('package.json')).toBe(true)
    expect(await thrownBy(() => readFile(`${virtual}/a`))).toMatchObject({ code: 'ENOENT' })
    expect(await thrownBy(() => fs.promises.mkdir('/.acp-snapshot-virtual/nothing'))).toMatchObject({
      code: 'ENOENT',
    })
  })

  it("does not take a run's descriptor", async () => {
    const descriptor = inside(() => fs.openSync(`${virtual}/a`, 'w'))
    expect(await thrownBy(() => fs.fstatSync(descriptor))).toMatchObject({ code: 'EBADF' })
  })
})

describe('another run', () => {
  it('has a virtual disk of its own', async () => {
    const other = await startRun()
    inside(() => fs.writeFileSync(`${virtual}/a`, 'mine'))
    expect(other.inside(() => existsSync(`${virtual}/a`))).toBe(false)
    expect(other.host.folders.sessions).not.toBe(virtual)
    expect(other.host.folders.sessions).toHaveLength(virtual.length)
  })
})
