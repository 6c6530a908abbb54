import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

import { describe, expect, it, onTestFinished } from 'vitest'

import { removeTree } from '../../../src/host/folders/remove-tree.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { thrownBy } from '../../support/thrown.ts'
import { deepTree } from '../support/deep-tree.ts'
import { startRun } from '../support/start-run.ts'

const canPin = pins()

describe('removeTree', () => {
  it('removes what is deeper than a path may be, whatever its names, and follows no link', async () => {
    const folder = tempFolder({ 'outside/kept': '', 'tree/first/file': '' })
    const tree = path.join(folder, 'tree')
    const odd = Buffer.concat([Buffer.from(`${tree}/first/a`), Buffer.from([0xff])])
    fs.mkdirSync(odd)
    fs.writeFileSync(Buffer.concat([odd, Buffer.from('/b')]), '')
    for (const at of ['first/link', 'link']) fs.symlinkSync(path.join(folder, 'outside'), path.join(tree, at))
    deepTree(path.join(tree, 'first'))
    deepTree(tree)
    await removeTree(tree)
    expect(fs.readdirSync(folder)).toEqual(['outside'])
    expect(fs.readdirSync(path.join(folder, 'outside'))).toEqual(['kept'])
  })

  it('has nothing to do where nothing is', async () => {
    await expect(removeTree(path.join(tempFolder(), 'gone'))).resolves.toBeUndefined()
  })

  it('fails of a file that can not be removed', async () => {
    await expect(removeTree('/proc/self/comm')).rejects.toThrow('/proc/self/comm')
  })

  it('removes a link, and not what it leads to', async () => {
    const folder = tempFolder({ 'outside/kept': '' })
    fs.symlinkSync('outside', path.join(folder, 'link'))
    await removeTree(path.join(folder, 'link'))
    expect(fs.readdirSync(folder)).toEqual(['outside'])
  })
})

describe('a run', () => {
  it('leaves nothing of a deep tree behind, and says what it failed of', async () => {
    const parent = tempFolder()
    const work = async (): Promise<void> => {
      const { host } = await startRun({ workspaceParent: parent })
      await using _ = host // eslint-disable-line @typescript-eslint/no-unused-vars -- disposed at the end of the block
      deepTree(host.cwd)
      deepTree(host.folders.home)
      kept.push(host.folders.real)
      throw new Error('the reason')
    }
    const kept: string[] = []
    expect(await thrownBy(work)).toMatchObject({ message: 'the reason' })
    expect(fs.readdirSync(parent)).toEqual([])
    expect(kept.map(folder => fs.existsSync(folder))).toEqual([false])
  })

  it.skipIf(!canPin)('warns of what it can not remove, and removes the rest', async () => {
    const parent = tempFolder()
    const { host } = await startRun({ workspaceParent: parent })
    const pinned = path.join(host.cwd, 'deep/pinned')
    deepTree(host.cwd)
    fs.mkdirSync(path.dirname(pinned))
    fs.writeFileSync(pinned, '')
    execFileSync('chattr', ['+i', pinned])
    onTestFinished(() => void execFileSync('chattr', ['-i', pinned]))
    const warned = once(process, 'warning')
    await host[Symbol.asyncDispose]()
    expect(fs.readdirSync(host.cwd, { recursive: true })).toEqual(['deep', 'deep/pinned'])
    expect(fs.existsSync(host.folders.real)).toBe(false)
    const [warning] = (await warned) as [Error]
    expect(warning.message).toMatch(
      /^acp-snapshot: a folder of a run could not be removed: .*EPERM.*\. Remove it by hand\.$/,
    )
  })
})

/** Whether a file can be made one that nobody removes. */
function pins(): boolean {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'spec-'))
  try {
    for (const change of ['+i', '-i']) execFileSync('chattr', [change, folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  } finally {
    fs.rmdirSync(folder)
  }
}
