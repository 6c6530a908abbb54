import fs, { chmodSync, mkdirSync, readFileSync, readlinkSync, statSync, symlinkSync } from 'node:fs'
import path from 'node:path'

import { createFsFromVolume, Volume } from 'memfs'
import { describe, expect, it } from 'vitest'

import { asWritable, fillWorkspace } from '../../../src/host/folders/fill-workspace.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const disks: [string, typeof fs][] = [
  ['the real disk', fs],
  ['a virtual disk', createFsFromVolume(new Volume()) as unknown as typeof fs],
]

describe.each(disks)('fillWorkspace on %s', (_name, disk) => {
  const empty = (): string => {
    const cwd = tempFolder()
    disk.mkdirSync(cwd, { recursive: true })
    return cwd
  }

  it('copies files, folders and modes', async () => {
    const source = tempFolder({ 'a.txt': 'a', 'deep/down/b.sh': 'b' })
    mkdirSync(path.join(source, 'empty'))
    chmodSync(path.join(source, 'deep/down/b.sh'), 0o755)
    const cwd = empty()
    await fillWorkspace(source, asWritable(disk), cwd)
    expect(disk.readFileSync(path.join(cwd, 'a.txt'), 'utf8')).toBe('a')
    expect(disk.readFileSync(path.join(cwd, 'deep/down/b.sh'), 'utf8')).toBe('b')
    expect(disk.statSync(path.join(cwd, 'deep/down/b.sh')).mode & 0o777).toBe(0o755)
    expect(disk.readdirSync(path.join(cwd, 'empty'))).toEqual([])
  })

  it('copies what may not be written to', async () => {
    const source = tempFolder({ 'locked.txt': 'x' })
    chmodSync(path.join(source, 'locked.txt'), 0o444)
    const cwd = empty()
    await fillWorkspace(source, asWritable(disk), cwd)
    expect(disk.readFileSync(path.join(cwd, 'locked.txt'), 'utf8')).toBe('x')
    expect(disk.statSync(path.join(cwd, 'locked.txt')).mode & 0o777).toBe(0o444)
  })

  it('says what is wrong with files that cannot be there together', async () => {
    const both = { a: '', 'a/b': '' }
    await expect(fillWorkspace(both, asWritable(disk), empty())).rejects.toMatchObject({
      code: 'SCENARIO_INVALID',
      message: expect.stringContaining("can't be put into the working directory") as string,
    })
  })

  it('keeps links that lead to a place in the workspace, pointing into the copy', async () => {
    const source = tempFolder({ 'real/a.txt': 'a' })
    symlinkSync('real', path.join(source, 'relative'))
    symlinkSync(path.join(source, 'real/a.txt'), path.join(source, 'absolute'))
    symlinkSync('.', path.join(source, 'self'))
    const cwd = empty()
    await fillWorkspace(source, asWritable(disk), cwd)
    disk.writeFileSync(path.join(cwd, 'relative/a.txt'), 'changed')
    expect(disk.readFileSync(path.join(cwd, 'absolute'), 'utf8')).toBe('changed')
    expect(readFileSync(path.join(source, 'real/a.txt'), 'utf8')).toBe('a')
    expect(disk.readlinkSync(path.join(cwd, 'self'))).toBe('.')
  })

  it.each(['../outside', '/etc'])('refuses a link to %s', async target => {
    const source = tempFolder()
    symlinkSync(target, path.join(source, 'link'))
    expect(readlinkSync(path.join(source, 'link'))).toBe(target)
    await expect(fillWorkspace(source, asWritable(disk), empty())).rejects.toThrow(
      /link is a link to \S+, out of the workspace\. Put a copy/,
    )
  })

  it('writes texts by their path', async () => {
    const cwd = empty()
    await fillWorkspace({ 'deep/a.txt': 'a', 'b.txt': 'b' }, asWritable(disk), cwd)
    expect(disk.readFileSync(path.join(cwd, 'deep/a.txt'), 'utf8')).toBe('a')
    expect(disk.readFileSync(path.join(cwd, 'b.txt'), 'utf8')).toBe('b')
  })

  it.each(['../b.txt', '/b.txt', '.', ''])('refuses a text at %j', async name => {
    await expect(fillWorkspace({ [name]: 'x' }, asWritable(disk), empty())).rejects.toThrow(
      'leaves the working directory',
    )
  })
})

describe('fillWorkspace', () => {
  it('refuses what is neither file, folder nor link', async () => {
    const source = tempFolder()
    const { execFileSync } = await import('node:child_process')
    execFileSync('mkfifo', [path.join(source, 'pipe')])
    expect(statSync(path.join(source, 'pipe')).isFIFO()).toBe(true)
    await expect(fillWorkspace(source, asWritable(fs), tempFolder())).rejects.toThrow('neither a file')
  })
})
