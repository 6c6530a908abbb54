import fs from 'node:fs'
import { readFile } from 'node:fs/promises'
import { cwd } from 'node:process'
import { homedir, tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import cp, { spawnSync, execFileSync } from 'node:child_process'
import nodeConsole from 'node:console'
import { expect, it } from 'vitest'
import { startRun } from '../support/start-run.ts'

const tell = async (label: string, f: () => unknown) => {
  try {
    console.error(label, '=>', await f())
  } catch (e) {
    console.error(label, 'THROWS', String(e).slice(0, 300))
  }
}
it('x', async () => {
  const run = await startRun()
  const m = run.host.folders.sessions
  await tell('cwd', () => run.inside(() => [cwd(), homedir(), tmpdir(), path.resolve('x')]))
  fs.writeFileSync(run.host.cwd + '/a.txt', 'A')
  const i = run.inside
  const T = (label: string, f: () => unknown) => tell(label, () => i(f))
  await T('rel', () => readFile('a.txt', 'utf8'))
  await T('glob rel', () => fs.globSync('*'))
  await T('glob promise', async () => {
    const r = []
    for await (const x of fs.promises.glob('*')) r.push(x)
    return r
  })
  await T('openAsBlob rel', async () => await (await fs.openAsBlob('a.txt')).text())
  await T('openAsBlob virt', () => fs.openAsBlob(m + '/x'))
  await T('mkdtempDisposable rel', () => (fs as any).mkdtempDisposableSync('foo-').path)
  await T('spawnSync undefined opts', () => String(spawnSync('pwd', [], undefined).stdout))
  await T('execFileSync undefined', () => String(execFileSync('pwd', undefined, undefined)))
  await T('execSync undefined', () => String(cp.execSync('pwd', undefined)))
  fs.mkdirSync(run.host.cwd + '/sub')
  await T(
    'spawnSync rel cwd',
    () => spawnSync('pwd', [], { cwd: 'sub' }).error ?? String(spawnSync('pwd', [], { cwd: 'sub' }).stdout),
  )
  await T('spawn rel cwd', () => promisify(cp.execFile)('pwd', [], { cwd: 'sub' }))
  await T('readdir parentPath', () =>
    fs.readdirSync('sub/..', { withFileTypes: true }).map(e => e.parentPath + '|' + e.name),
  )
  fs.symlinkSync('/usr/lib', run.host.cwd + '/link')
  await T('link/..', () => fs.readdirSync('link/..').slice(0, 3))
  await T('virt symlink', () => {
    fs.writeFileSync(m + '/t.txt', 'T')
    fs.symlinkSync('t.txt', m + '/l')
    return [fs.readlinkSync(m + '/l'), fs.readFileSync(m + '/l', 'utf8'), fs.realpathSync.native(m + '/l')]
  })
  await T('virt read forms', async () => {
    const fd = fs.openSync(m + '/t.txt', 'r')
    const r: unknown[] = [fd]
    r.push(await promisify(fs.read)(fd, Buffer.alloc(3), 0, 3, 0))
    r.push(fs.readSync(fd, Buffer.alloc(3)))
    r.push(fs.readSync(fd, Buffer.alloc(3), { position: 0 }))
    r.push(
      await new Promise(res => fs.read(fd, { buffer: Buffer.alloc(3), position: 0 }, (e, n) => res([e, n]))),
    )
    r.push(fs.fstatSync(fd).size)
    fs.closeSync(fd)
    return r
  })
  await T('virt exists promisify', () =>
    Promise.all([promisify(fs.exists)(m + '/t.txt'), promisify(fs.exists)(m + '/no')]),
  )
  await T('aborted', () =>
    readFile(m + '/t.txt', { signal: AbortSignal.abort() }).catch((e: any) => [e.name, e.code]),
  )
  await T('aborted real', () =>
    readFile('a.txt', { signal: AbortSignal.abort() }).catch((e: any) => [e.name, e.code]),
  )
  await T('watch aborted', () => {
    const w = fs.watch(m, { signal: AbortSignal.abort() })
    w.close()
    return 'ok'
  })
  await T('uint8 path', () => fs.readFileSync(new TextEncoder().encode(m + '/t.txt') as any, 'utf8'))
  await T('bad url', () => {
    const p = fs.promises.readFile(new URL('file://host/x'))
    p.catch(() => {})
    return 'returned'
  })
  await T('opendir', async () => {
    const r = []
    for await (const e of await fs.promises.opendir(m)) r.push(e.name)
    return r
  })
  await T('opendirSync', async () => {
    const d = fs.opendirSync(m)
    const r = d.readSync()?.name
    d.closeSync()
    return r
  })
  await T('cp virt', async () => {
    fs.mkdirSync(m + '/d/e', { recursive: true })
    fs.writeFileSync(m + '/d/e/f', '1')
    await fs.promises.cp(m + '/d', m + '/d2', { recursive: true })
    return fs.readFileSync(m + '/d2/e/f', 'utf8')
  })
  await T('createReadStream', async () => {
    let s = ''
    for await (const c of fs.createReadStream(m + '/t.txt', 'utf8')) s += c
    return s
  })
  await T('createWriteStream', async () => {
    const w = fs.createWriteStream(m + '/w.txt')
    w.end('hello')
    await new Promise(r => w.on('close', r))
    return fs.readFileSync(m + '/w.txt', 'utf8')
  })
  await T('fh', async () => {
    const h = await fs.promises.open(m + '/t.txt', 'r+')
    const r = [await h.readFile('utf8'), (await h.stat()).size]
    await h.write('zz')
    await h.sync()
    await h.datasync()
    await h.truncate(1)
    await h.close()
    r.push(fs.readFileSync(m + '/t.txt', 'utf8'))
    return r
  })
  await T('fh stream/lines/using', async () => {
    fs.writeFileSync(m + '/l.txt', 'a\nb\n')
    const h = await fs.promises.open(m + '/l.txt')
    const r = []
    for await (const l of h.readLines()) r.push(l)
    return r
  })
  await T('fh asyncDispose', async () => {
    const h = await fs.promises.open(m + '/l.txt')
    return typeof (h as any)[Symbol.asyncDispose]
  })
  await T('promises.watch', async () => {
    const ac = new AbortController()
    const it = fs.promises.watch(m, { signal: ac.signal })[Symbol.asyncIterator]()
    const n = it.next()
    fs.writeFileSync(m + '/n.txt', '')
    const r = await n
    ac.abort()
    return r
  })
  await T('watchFile', async () => {
    const p = new Promise(r => fs.watchFile(m + '/n.txt', { interval: 10 }, (a, b) => r([a.size, b.size])))
    fs.writeFileSync(m + '/n.txt', 'abc')
    const r = await p
    fs.unwatchFile(m + '/n.txt')
    return r
  })
  await T('statfs', () => fs.statfsSync(m).type)
  await T('readv', () => {
    const fd = fs.openSync(m + '/l.txt', 'r')
    const n = fs.readvSync(fd, [Buffer.alloc(2), Buffer.alloc(2)])
    fs.closeSync(fd)
    return n
  })
  await T('glob virt', () => fs.globSync('*', { cwd: m }))
  await T('glob virt pattern', () => fs.globSync(m + '/*'))
  await T('mkdtemp virt', () => fs.mkdtempSync(m + '/x-'))
  await T('mkdtemp virt dir', () => fs.mkdtempSync(m + '/'))
  await T('mkdtemp rel', () => fs.mkdtempSync('x-'))
  await T('bigints', () => typeof fs.statSync(m, { bigint: true }).mtimeNs)
  await T('throwIfNoEntry', () => fs.statSync(m + '/nope', { throwIfNoEntry: false }))
  await T('access', () =>
    fs.promises.access(m + '/nope').catch((e: any) => [e.code, e.syscall, e.path, e.errno, e.message]),
  )
  await T(
    'err cb',
    () => new Promise(r => fs.readFile(m + '/nope', e => r([e!.code, e!.errno, e instanceof Error]))),
  )
  await T('readFileSync with fd', () => {
    const fd = fs.openSync(m + '/l.txt', 'r')
    const s = fs.readFileSync(fd, 'utf8')
    fs.closeSync(fd)
    return s
  })
  await T('readdir recursive', () => fs.readdirSync(m, { recursive: true }))
  await T('readdir wft parentPath', () =>
    fs.readdirSync(m, { withFileTypes: true }).map(e => (e as any).parentPath),
  )
  await T('rm recursive force', () => {
    fs.rmSync(m + '/d2', { recursive: true, force: true })
    return fs.existsSync(m + '/d2')
  })
  await T('node:console timeStamp', () => {
    ;(nodeConsole as any).timeStamp('x')
    nodeConsole.log('from node:console')
    return 1
  })
  await T('console.context', () => typeof (nodeConsole as any).createTask)
  console.error('stderr', run.host.diagnostics())
  const reader = run.host.stdio.output.getReader()
  await T('log', () => {
    console.log('logged')
    process.stdout.write('written\n')
    nodeConsole.log('nc')
  })
  await tell('out', async () => new TextDecoder().decode((await reader.read()).value))
  await tell('out', async () => new TextDecoder().decode((await reader.read()).value))
})
