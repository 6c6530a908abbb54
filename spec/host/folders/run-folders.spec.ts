import fs from 'node:fs'
import path from 'node:path'

import { describe, expect, it, onTestFinished } from 'vitest'

import { virtualRoot } from '../../../src/host/in-process/disk/virtual-path.ts'
import { sharedTemp } from '../../../src/host/folders/real-root.ts'
import { makeRunFolders, removeRunFolders, type RunFolders } from '../../../src/host/folders/run-folders.ts'
import { slot } from '../../../src/host/in-process/scope.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { runScript, sourceUrl } from '../support/plain-node.ts'
import { problemOf, thrownBy } from '../../support/thrown.ts'

/** Folders that go with the test. */
async function make(...args: Parameters<typeof makeRunFolders>): Promise<RunFolders> {
  const folders = await makeRunFolders(...args)
  onTestFinished(() => removeRunFolders(folders))
  return folders
}

describe('the folders of a run', () => {
  it('are of fixed length, whatever the run and the scenario: tools cut their output by length', async () => {
    slot.runs = 34 // the count grows by a digit within these
    const all = [
      await make('a', { kind: 'disk' }),
      await make('a scenario with a name as long as a sentence may be', { kind: 'disk' }),
      await make('ünï', { kind: 'disk' }),
    ]
    for (const part of ['key', 'cwd', 'home', 'spill', 'temp', 'sessions', 'real'] as const) {
      expect(new Set(all.map(folders => Buffer.byteLength(folders[part]))).size, part).toBe(1)
      expect(new Set(all.map(folders => folders[part])).size, part).toBe(3)
    }
  })

  it('are keyed by the scenario, and still of their own where it runs twice', async () => {
    const [one, two, other] = [
      await make('a', { kind: 'disk' }),
      await make('a', { kind: 'disk' }),
      await make('b', { kind: 'disk' }),
    ]
    expect(one.key.slice(0, 8)).toBe(two.key.slice(0, 8))
    expect(one.key).not.toBe(two.key)
    expect(other.key.slice(0, 8)).not.toBe(one.key.slice(0, 8))
  })

  it('have temporary folders of one length, whether it is their own or that of all', async () => {
    const folders = await make('any', { kind: 'disk' })
    expect(folders.temp).toHaveLength(sharedTemp().length)
  })

  it('have the sessions on the real disk too, where the agent is another process', async () => {
    const folders = await make('any', { kind: 'disk', logs: 'disk' })
    expect(folders.sessionsDisk).toBe(fs)
    expect(folders.sessions.startsWith(folders.real)).toBe(true)
    expect(fs.statSync(folders.sessions).isDirectory()).toBe(true)
  })

  it('are on the real disk, but for the sessions', async () => {
    const folders = await make('a', { kind: 'disk', source: { 'x/y.txt': 'text' } })
    for (const folder of [folders.cwd, folders.home, folders.temp]) {
      expect(fs.statSync(folder).isDirectory()).toBe(true)
      expect(folder.startsWith(folders.real + path.sep)).toBe(true)
    }
    expect(fs.existsSync(folders.spill)).toBe(false)
    expect(fs.readFileSync(`${folders.cwd}/x/y.txt`, 'utf8')).toBe('text')
    expect(folders.sessions.startsWith(virtualRoot)).toBe(true)
    expect(fs.existsSync(folders.sessions)).toBe(false)
    expect(folders.disk.statSync(folders.sessions).isDirectory()).toBe(true)
    expect(fs.realpathSync(folders.cwd)).toBe(folders.cwd)
  })

  it('are all virtual in memory', async () => {
    const folders = await make('a', { kind: 'memory', source: { 'x/y.txt': 'text' } })
    for (const folder of [folders.cwd, folders.home, folders.temp, folders.sessions]) {
      expect(folder.startsWith(virtualRoot)).toBe(true)
      expect(folders.disk.statSync(folder).isDirectory()).toBe(true)
    }
    expect(folders.disk.readFileSync(`${folders.cwd}/x/y.txt`, 'utf8')).toBe('text')
    expect(fs.existsSync(folders.real)).toBe(false)
  })

  it('are removed, also where the agent has left much in them', async () => {
    const folders = await makeRunFolders('a', { kind: 'disk' })
    fs.mkdirSync(`${folders.cwd}/deep/er`, { recursive: true })
    fs.writeFileSync(`${folders.cwd}/deep/er/x`, '')
    fs.chmodSync(`${folders.cwd}/deep/er/x`, 0)
    await removeRunFolders(folders)
    expect(fs.existsSync(folders.real)).toBe(false)
  })

  it('are removed where they cannot be filled', async () => {
    const keep = await make('a', { kind: 'disk' })
    const root = path.dirname(keep.real)
    const before = fs.readdirSync(root)
    expect(
      await problemOf(() => makeRunFolders('b', { kind: 'disk', source: { '../out': '' } })),
    ).toMatchObject({
      code: 'SCENARIO_INVALID',
    })
    expect(
      await thrownBy(() => makeRunFolders('b', { kind: 'disk', source: '/no/such/folder' })),
    ).toBeInstanceOf(Error)
    expect(fs.readdirSync(root)).toEqual(before)
  })
})

describe('a working directory in a folder that the suite names', () => {
  it('is made there and removed with the run, the folder is not', async () => {
    const parent = tempFolder()
    const folders = await makeRunFolders('a', { kind: 'disk', parent, source: { x: '' } })
    expect(path.dirname(folders.cwd)).toBe(parent)
    expect(fs.readdirSync(folders.cwd)).toEqual(['x'])
    await removeRunFolders(folders)
    expect(fs.readdirSync(parent)).toEqual([])
  })

  it('is known by every spelling that the system gives it', async () => {
    const folder = tempFolder({ 'real/x': '' })
    fs.symlinkSync(`${folder}/real`, `${folder}/link`)
    const { cwd, cwdAliases, key } = await make('a', { kind: 'disk', parent: `${folder}/link` })
    expect(cwdAliases).toEqual([cwd, path.join(folder, 'real', path.basename(cwd))])
    expect(cwd).toContain(key)
  })

  it("is of the process's own: test runners run one suite in several processes at once", async () => {
    const parent = tempFolder()
    const folders = await make('a', { kind: 'disk', parent, source: { mine: '' } })
    const other = await runScript(`
      import { sharedTemp } from '../../../src/host/folders/real-root.ts'
import { makeRunFolders, removeRunFolders } from ${JSON.stringify(sourceUrl('host/folders/run-folders.ts'))}
      const folders = await makeRunFolders('a', { kind: 'disk', parent: ${JSON.stringify(parent)} })
      console.log(JSON.stringify({ cwd: folders.cwd, key: folders.key }))
      await removeRunFolders(folders)
    `)
    // The keys count up in each process; here both begin with the first run but for those of the tests before.
    expect(other).toMatchObject({ key: expect.stringContaining(folders.key.slice(0, 8)) as unknown })
    expect(path.basename((other as RunFolders).cwd)).not.toBe((other as RunFolders).key)
    expect((other as RunFolders).cwd).toHaveLength(folders.cwd.length)
    expect((other as RunFolders).cwd.slice(-6)).not.toBe(folders.cwd.slice(-6))
  })

  it('is refused where the folder is missing, or the workspace is to be in memory', async () => {
    const parent = path.join(tempFolder(), 'missing')
    expect(await problemOf(() => makeRunFolders('a', { kind: 'disk', parent }))).toMatchObject({
      code: 'SCENARIO_INVALID',
      details: { parent },
    })
    expect(await problemOf(() => makeRunFolders('a', { kind: 'memory', parent: '/tmp' }))).toMatchObject({
      code: 'SCENARIO_INVALID',
    })
  })
})
