import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { once } from 'node:events'

import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'

import {
  discardRealRoot,
  holdRealRoot,
  releaseRealRoot,
  sharedTemp,
} from '../../../src/host/folders/real-root.ts'
import { slot } from '../../../src/host/in-process/scope.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { thrown } from '../../support/thrown.ts'
import { sourceUrl, startScript } from '../support/plain-node.ts'

// As in a process that has had no run yet.
beforeEach(() => {
  const before = slot.realRoot
  slot.realRoot = undefined
  onTestFinished(() => {
    slot.realRoot = before
  })
})

describe('the folder of all runs on the real disk', () => {
  it('is not there before the first run', () => {
    releaseRealRoot()
    discardRealRoot()
    expect(sharedTemp().startsWith(os.tmpdir())).toBe(true)
    expect(fs.existsSync(sharedTemp())).toBe(false)
  })

  it('is there while a run is, and no longer', () => {
    const root = holdRealRoot()
    expect(path.dirname(root)).toBe(fs.realpathSync(os.tmpdir()))
    expect(fs.statSync(sharedTemp()).isDirectory()).toBe(true)
    expect(path.relative(root, sharedTemp())).toMatch(/^shared-+\/tmp$/)
    expect(holdRealRoot()).toBe(root)
    releaseRealRoot()
    expect(fs.existsSync(root)).toBe(true)
    releaseRealRoot()
    expect(fs.existsSync(root)).toBe(false)
  })

  it('is always the same, and so are the folders that plugins made in its temporary folder', () => {
    const root = holdRealRoot()
    const kept = fs.mkdtempSync(path.join(sharedTemp(), 'plugin-'))
    fs.writeFileSync(path.join(kept, 'x'), '')
    fs.writeFileSync(path.join(sharedTemp(), 'file'), '')
    releaseRealRoot()
    expect(holdRealRoot()).toBe(root)
    expect(fs.readdirSync(sharedTemp())).toEqual([path.basename(kept)])
    expect(fs.readdirSync(kept)).toEqual([])
    releaseRealRoot()
  })

  it('has a path of one length, wherever temporary folders are made', () => {
    onTestFinished(() => void vi.unstubAllEnvs())
    const parent = tempFolder()
    const lengths = ['a', 'a b', 'folders/zz/some-thirty-letters'].map(name => {
      const folder = path.join(parent, name)
      fs.mkdirSync(folder, { recursive: true })
      vi.stubEnv('TMPDIR', folder)
      slot.realRoot = undefined
      const root = holdRealRoot()
      expect(path.dirname(root)).toBe(fs.realpathSync(folder))
      releaseRealRoot()
      return root.length
    })
    expect(lengths).toEqual([80, 80, 80])
  })

  it('is not made where there is no temporary folder', () => {
    onTestFinished(() => void vi.unstubAllEnvs())
    const parent = tempFolder({ file: '' })
    for (const name of ['absent', 'file']) {
      const folder = path.join(parent, name)
      vi.stubEnv('TMPDIR', folder)
      expect(thrown(() => holdRealRoot()).message).toMatch(
        new RegExp(
          `^${process.env.TMPDIR}: no folder can be made in the system's temporary folder: .*E.*TMPDIR`,
        ),
      )
    }
    expect(slot.realRoot).toBeUndefined()
  })

  it('is for nobody else to read', () => {
    const root = holdRealRoot()
    expect(fs.statSync(root).mode & 0o077).toBe(0)
    releaseRealRoot()
    holdRealRoot()
    expect(fs.statSync(root).mode & 0o077).toBe(0)
    releaseRealRoot()
  })

  it('does not fail the next run where it was removed, or could not be', () => {
    const root = holdRealRoot()
    fs.rmSync(root, { recursive: true })
    expect(() => releaseRealRoot()).not.toThrow()
    fs.mkdirSync(sharedTemp(), { recursive: true })
    expect(holdRealRoot()).toBe(root)
    releaseRealRoot()
    expect(fs.existsSync(root)).toBe(false)
  })

  it('goes at once when the process ends', () => {
    const root = holdRealRoot()
    holdRealRoot()
    discardRealRoot()
    expect(fs.existsSync(root)).toBe(false)
    holdRealRoot()
    releaseRealRoot()
    releaseRealRoot()
    releaseRealRoot()
  })

  it("goes with a process that ends while a run goes on, after the run's own exit listeners", async () => {
    const temp = tempFolder()
    const child = startScript(
      `
      import { installScopes } from ${JSON.stringify(sourceUrl('host/in-process/install.ts'))}
      import { makeRunFolders } from ${JSON.stringify(sourceUrl('host/folders/run-folders.ts'))}
      import { slot } from ${JSON.stringify(sourceUrl('host/in-process/scope.ts'))}
      import { EventEmitter } from 'node:events'
      import fs from 'node:fs'
      installScopes()
      const folders = await makeRunFolders('a', { kind: 'disk' })
      const scope = { ...folders, env: {}, stdio: process, processEvents: new EventEmitter(), exit() {} }
      slot.live.add(scope)
      slot.scopes.run(scope, () => process.on('exit', code => fs.writeFileSync(${JSON.stringify(temp)} + '/seen', code + ' ' + process.cwd())))
      console.log(folders.cwd)
      process.exit(3)
    `,
      { env: { ...process.env, TMPDIR: temp } },
    )
    const [code] = (await once(child, 'close')) as unknown[]
    const cwd = (await child.output).trim()
    expect(code).toBe(3)
    expect(cwd).toContain(temp)
    expect(fs.readFileSync(path.join(temp, 'seen'), 'utf8')).toBe(`3 ${cwd}`)
    expect(fs.readdirSync(temp)).toEqual(['seen'])
  })
})
