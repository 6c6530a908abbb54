import fs from 'node:fs'
import path from 'node:path'

import { createFsFromVolume, Volume } from 'memfs'
import { describe, expect, it } from 'vitest'

import { waitForFile, type WatchableDisk } from '../../../src/host/folders/wait-for-file.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { thrownBy } from '../../support/thrown.ts'

type Disk = WatchableDisk & Pick<typeof fs, 'mkdirSync' | 'writeFileSync' | 'rmSync' | 'renameSync'>

const open = () => AbortSignal.timeout(4000)

const disks: readonly [string, () => { disk: Disk; folder: string }][] = [
  ['the real disk', () => ({ disk: fs, folder: tempFolder() })],
  [
    'a virtual disk',
    () => {
      const disk = createFsFromVolume(new Volume())
      disk.mkdirSync('/agent', { recursive: true })
      return { disk: disk as unknown as Disk, folder: '/agent' }
    },
  ],
]

/** Lets watches begin: they do so within the current turn or the next. */
const turn = () => new Promise(resolve => setTimeout(resolve, 5))

describe.each(disks)('waitForFile on %s', (_name, make) => {
  it('resolves at once where the file is there', async () => {
    const { disk, folder } = make()
    disk.writeFileSync(`${folder}/a`, '')
    await waitForFile(disk, `${folder}/a`, open())
  })

  it('resolves when the file is made, and not for another', async () => {
    const { disk, folder } = make()
    let done = false
    const waiting = waitForFile(disk, `${folder}/a`, open()).then(() => (done = true))
    await turn()
    disk.writeFileSync(`${folder}/b`, '')
    await turn()
    expect(done).toBe(false)
    disk.writeFileSync(`${folder}/a`, '')
    await waiting
  })

  it('resolves when the file is renamed into its place', async () => {
    const { disk, folder } = make()
    const waiting = waitForFile(disk, `${folder}/a`, open())
    await turn()
    disk.writeFileSync(`${folder}/b`, '')
    disk.renameSync(`${folder}/b`, `${folder}/a`)
    await waiting
  })

  it('waits for folders that are made later, one by one or all at once', async () => {
    const { disk, folder } = make()
    const slowly = waitForFile(disk, `${folder}/x/y/z`, open())
    const atOnce = waitForFile(disk, `${folder}/deep/er/file`, open())
    await turn()
    disk.mkdirSync(`${folder}/x`)
    await turn()
    disk.mkdirSync(`${folder}/x/y`)
    await turn()
    disk.writeFileSync(`${folder}/x/y/z`, '')
    await slowly
    disk.mkdirSync(`${folder}/deep/er`, { recursive: true })
    disk.writeFileSync(`${folder}/deep/er/file`, '')
    await atOnce
  })

  it('goes on where a folder on the way is removed and made again', async () => {
    const { disk, folder } = make()
    disk.mkdirSync(`${folder}/x`)
    const waiting = waitForFile(disk, `${folder}/x/a`, open())
    await turn()
    disk.rmSync(`${folder}/x`, { recursive: true })
    await turn()
    disk.mkdirSync(`${folder}/x`)
    await turn()
    disk.writeFileSync(`${folder}/x/a`, '')
    await waiting
  })

  it("throws the deadline's reason, at once where it is over already", async () => {
    const { disk, folder } = make()
    const reason = new Error('too late')
    expect(await thrownBy(() => waitForFile(disk, `${folder}/a`, AbortSignal.abort(reason)))).toBe(reason)
    const deadline = new AbortController()
    const waiting = thrownBy(() => waitForFile(disk, `${folder}/a`, deadline.signal))
    await turn()
    deadline.abort(reason)
    expect(await waiting).toBe(reason)
  })
})

describe('waitForFile', () => {
  it('closes each watch that it has opened', async () => {
    const folder = tempFolder()
    let watching = 0
    const disk: WatchableDisk = {
      existsSync: file => fs.existsSync(file),
      watch: (at, listener) => {
        watching += 1
        const watcher = fs.watch(at, listener)
        watcher.on('close', () => (watching -= 1))
        return watcher
      },
    }
    const waiting = waitForFile(disk, `${folder}/x/a`, open())
    await turn()
    expect(watching).toBe(1)
    fs.mkdirSync(`${folder}/x`)
    await turn()
    expect(watching).toBe(1)
    fs.writeFileSync(`${folder}/x/a`, '')
    await waiting
    await turn()
    expect(watching).toBe(0)
  })

  it('looks again where the folder goes between the look and the watch, or a watch fails', async () => {
    const folder = tempFolder()
    let calls = 0
    const disk: WatchableDisk = {
      existsSync: file => fs.existsSync(file),
      watch: (at, listener) => {
        calls += 1
        if (calls === 1) throw new Error('ENOENT')
        const watcher = fs.watch(at, listener)
        if (calls === 2) setImmediate(() => watcher.emit('error', new Error('EPERM')))
        if (calls === 3) setImmediate(() => fs.writeFileSync(path.join(folder, 'a'), ''))
        return watcher
      },
    }
    await waitForFile(disk, `${folder}/a`, open())
    expect(calls).toBe(3)
  })

  it('does not miss a file that is made while the watch begins', { timeout: 1000 }, async () => {
    const folder = tempFolder()
    const disk: WatchableDisk = {
      existsSync: file => fs.existsSync(file),
      watch: () => {
        fs.writeFileSync(`${folder}/a`, '')
        return { close: () => undefined, on: () => undefined }
      },
    }
    await waitForFile(disk, `${folder}/a`, new AbortController().signal)
  })
})
