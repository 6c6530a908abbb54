import path from 'node:path'
import { pathToFileURL } from 'node:url'

import { describe, expect, it } from 'vitest'

import { route } from '../../../../src/host/in-process/disk/route.ts'
import { virtualRoot } from '../../../../src/host/in-process/disk/virtual-path.ts'
import type { RunScope } from '../../../../src/host/in-process/scope.ts'

const cwd = '/home/someone/project'
const inDisk = { cwd } as RunScope
const virtual = path.join(virtualRoot, 'run/workspace')
const inMemory = { cwd: virtual } as RunScope
const descriptor = 0x7fffffff - 3

describe('route', () => {
  it('leaves real paths as they were given', () => {
    for (const file of [
      '/etc/hosts',
      '/etc/../etc//hosts',
      Buffer.from('/etc/hosts'),
      pathToFileURL('/etc/hosts'),
    ]) {
      expect(route('readFile', [file, 'utf8'], inDisk)).toEqual({ to: 'real', args: [file, 'utf8'] })
    }
  })

  it('leaves a path of bytes that are no text as it was given', () => {
    const file = Buffer.from([0x2f, 0xff, 0xfe])
    expect(route('open', [file], inDisk).to).toBe('real')
    expect(route('open', [file], inDisk)).toMatchObject({ args: [file] })
  })

  it('puts the working directory before a relative path and resolves nothing else of it', () => {
    // `link/..` is the parent of what the link points to: only the disk can tell.
    expect(route('readFile', ['link/../x'], inDisk)).toMatchObject({ args: [`${cwd}/link/../x`] })
    expect(route('readFile', ['.'], inDisk)).toMatchObject({ args: [`${cwd}/.`] })
    expect(route('readFile', [Buffer.from('x')], inDisk)).toMatchObject({ args: [Buffer.from(`${cwd}/x`)] })
    expect(route('readFile', [new Uint8Array([0x78])], inDisk)).toMatchObject({
      args: [Buffer.from(`${cwd}/x`)],
    })
    expect(route('mkdtemp', ['sub/'], inDisk)).toMatchObject({ args: [`${cwd}/sub/`] })
  })

  it('leaves an empty path to fail as it always does', () => {
    expect(route('readFile', [''], inDisk)).toEqual({ to: 'real', args: [''] })
  })

  it.each([
    ['a string', `${virtual}/x`],
    ['a string with dots', `${virtual}/y/../x`],
    ['a URL', pathToFileURL(`${virtual}/x`)],
    ['a Buffer', Buffer.from(`${virtual}/x`)],
    ['bytes', new TextEncoder().encode(`${virtual}/x`)],
  ])('sends a virtual path to the virtual disk, given as %s', (_how, file) => {
    expect(route('readFile', [file, 'utf8'], inDisk)).toEqual({
      to: 'virtual',
      args: [`${virtual}/x`, 'utf8'],
    })
  })

  it('resolves against a virtual working directory, also out of it', () => {
    expect(route('stat', ['x'], inMemory)).toEqual({ to: 'virtual', args: [`${virtual}/x`] })
    expect(route('stat', ['../../../../etc/hosts'], inMemory)).toEqual({ to: 'real', args: ['/etc/hosts'] })
  })

  it('keeps the trailing separator of a virtual path: mkdtemp takes it as part of a prefix', () => {
    expect(route('mkdtemp', [`${virtual}/`], inDisk)).toMatchObject({ args: [`${virtual}/`] })
    expect(route('mkdtemp', [Buffer.from(`${virtual}/`)], inDisk)).toMatchObject({ args: [`${virtual}/`] })
  })

  it('does not take a path that only begins like the virtual root for virtual', () => {
    expect(route('stat', [`${virtualRoot}-not`], inDisk).to).toBe('real')
    expect(route('stat', [virtualRoot], inDisk).to).toBe('virtual')
  })

  it('sends virtual descriptors and handles to the virtual disk and real ones to the real', () => {
    expect(route('fstat', [descriptor], inDisk)).toEqual({ to: 'virtual', args: [descriptor] })
    expect(route('readFile', [{ fd: descriptor }], inDisk)).toEqual({
      to: 'virtual',
      args: [{ fd: descriptor }],
    })
    expect(route('writeFileSync', [descriptor, 'x'], inDisk).to).toBe('virtual')
    expect(route('fstat', [3], inDisk).to).toBe('real')
    expect(route('readFile', [{ fd: 3 }], inDisk).to).toBe('real')
    expect(route('readFile', [null], inDisk).to).toBe('real')
  })

  it('fails a call with two paths across the border like a rename between two disks', () => {
    for (const args of [
      [`${virtual}/a`, '/tmp/b'],
      ['/tmp/a', `${virtual}/b`],
      ['a', `${virtual}/b`],
    ]) {
      const routed = route('renameSync', args, inDisk)
      expect(routed).toMatchObject({ to: 'fail', error: { code: 'EXDEV', syscall: 'rename' } })
    }
    expect(route('rename', [`${virtual}/a`, `${virtual}/b`], inDisk).to).toBe('virtual')
    expect(route('rename', ['a', 'b'], inDisk)).toEqual({ to: 'real', args: [`${cwd}/a`, `${cwd}/b`] })
  })

  it('keeps the text of a symbolic link, whatever it says', () => {
    expect(route('symlink', ['../target', 'link'], inDisk)).toEqual({
      to: 'real',
      args: ['../target', `${cwd}/link`],
    })
    expect(route('symlink', ['/etc/hosts', `${virtual}/link`], inDisk)).toEqual({
      to: 'virtual',
      args: ['/etc/hosts', `${virtual}/link`],
    })
    expect(route('symlink', [`${virtual}/x`, '/tmp/link'], inDisk).to).toBe('real')
  })

  it.each(['openAsBlob', 'mkdtempDisposable', 'mkdtempDisposableSync', 'aFunctionOfALaterNode'])(
    'refuses %s on a virtual path, and says what to do',
    name => {
      const routed = route(name, [`${virtual}/x`], inDisk)
      expect(routed).toMatchObject({ to: 'fail', error: { code: 'ISOLATION' } })
      expect(routed.to === 'fail' && routed.error.message).toContain(`fs.${name}("${virtual}/x")`)
      expect(routed.to === 'fail' && routed.error.message).toContain("workspace: 'disk'")
    },
  )

  it("gives functions that are never virtual the run's relative paths all the same", () => {
    expect(route('openAsBlob', ['x'], inDisk)).toEqual({ to: 'real', args: [`${cwd}/x`] })
    expect(route('mkdtempDisposableSync', ['x-'], inDisk)).toEqual({ to: 'real', args: [`${cwd}/x-`] })
    expect(route('openAsBlob', ['x'], inMemory)).toMatchObject({ to: 'fail', error: { code: 'ISOLATION' } })
  })

  it('touches no argument of a function it does not know', () => {
    expect(route('aFunctionOfALaterNode', ['x', 'y'], inDisk)).toEqual({ to: 'real', args: ['x', 'y'] })
    expect(route('aFunctionOfALaterNode', ['x'], inMemory)).toMatchObject({ to: 'fail' })
  })

  it('leaves virtual streams to Node, which opens their file by a call that is routed', () => {
    expect(route('createReadStream', [`${virtual}/x`], inDisk)).toEqual({
      to: 'real',
      args: [`${virtual}/x`],
    })
    expect(route('createWriteStream', ['x'], inMemory)).toEqual({ to: 'real', args: [`${virtual}/x`] })
    expect(route('createReadStream', ['x'], inDisk)).toEqual({ to: 'real', args: [`${cwd}/x`] })
  })

  it('leaves a malformed URL to fail as it always does', () => {
    for (const url of [
      new URL('file://host/x'),
      new URL('https://example.com/x'),
      new URL('file:///a%2Fb'),
    ]) {
      expect(route('readFile', [url], inDisk)).toEqual({ to: 'real', args: [url] })
    }
  })

  it("gives a glob the run's working directory and resolves a relative one", () => {
    const done = (): void => undefined
    expect(route('globSync', ['*.txt'], inDisk)).toEqual({ to: 'real', args: ['*.txt', { cwd }] })
    expect(route('glob', ['*.txt', done], inDisk)).toEqual({ to: 'real', args: ['*.txt', { cwd }, done] })
    expect(route('glob', [['*', 'a/*'], { cwd: 'sub', exclude: ['b'] }], inDisk)).toEqual({
      to: 'real',
      args: [['*', 'a/*'], { cwd: `${cwd}/sub`, exclude: ['b'] }],
    })
  })

  it('sends a glob over the virtual disk there: Node would walk the real one', () => {
    const root = { cwd: virtual }
    expect(route('globSync', ['*', root], inDisk)).toEqual({ to: 'virtual', args: ['*', root] })
    expect(route('globSync', ['*', { cwd: pathToFileURL(virtual) }], inDisk)).toEqual({
      to: 'virtual',
      args: ['*', root],
    })
    expect(route('globSync', ['*'], inMemory)).toEqual({ to: 'virtual', args: ['*', root] })
    expect(route('globSync', ['*', { cwd: '' }], inMemory)).toEqual({ to: 'virtual', args: ['*', root] })
    expect(route('globSync', [`${virtual}/*`], inDisk)).toEqual({
      to: 'virtual',
      args: [`${virtual}/*`, { cwd }],
    })
    expect(route('globSync', ['/etc/*'], inMemory)).toEqual({ to: 'real', args: ['/etc/*', root] })
  })

  it('refuses a glob over both disks', () => {
    expect(route('glob', [['a', `${virtual}/*`]], inDisk)).toMatchObject({
      to: 'fail',
      error: { code: 'ISOLATION' },
    })
  })
})
