import fs from 'node:fs'

import { createFsFromVolume, Volume } from 'memfs'
import { describe, expect, it } from 'vitest'

import { readTree, type ReadableTree } from '../../../src/host/folders/walk.ts'
import { deepTree } from '../support/deep-tree.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { thrown } from '../../support/thrown.ts'

const files = { 'b.txt': 'b', 'a/z.txt': 'z', 'a/b/c': 'c', '.hidden': 'h', 'Ü.txt': 'ü' }

const disks: readonly [string, () => { tree: ReadableTree; folder: string }][] = [
  [
    'the real disk',
    () => {
      const folder = tempFolder(files)
      fs.symlinkSync('b.txt', `${folder}/link`)
      fs.symlinkSync('a', `${folder}/folder-link`)
      fs.mkdirSync(`${folder}/empty`)
      return { tree: fs, folder }
    },
  ],
  [
    'a virtual disk',
    () => {
      const disk = createFsFromVolume(Volume.fromJSON(files, '/agent'))
      disk.symlinkSync('b.txt', '/agent/link')
      disk.symlinkSync('a', '/agent/folder-link')
      disk.mkdirSync('/agent/empty')
      return { tree: disk, folder: '/agent' }
    },
  ],
]

describe('readTree', () => {
  it('sorts by name, however the disk lists', () => {
    const folder = tempFolder({ b: '', a: '', c: '' })
    const tree: ReadableTree = {
      lstatSync: (file, options) => fs.lstatSync(file, options),
      readFileSync: file => fs.readFileSync(file),
      readdirSync: (at, options) => fs.readdirSync(at, options).toReversed(),
    }
    expect([...readTree(tree, folder).keys()]).toEqual(['a', 'b', 'c'])
    const shuffled = {
      ...tree,
      readdirSync: (at: string, options: { withFileTypes: true }) => {
        const [a, b, c] = fs.readdirSync(at, options)
        return [b, c, a]
      },
    }
    expect([...readTree(shuffled, folder).keys()]).toEqual(['a', 'b', 'c'])
  })
})

describe.each(disks)('readTree of %s', (_name, make) => {
  it('gives regular files by relative path, in order of names, and follows no link', () => {
    const { tree, folder } = make()
    const read = readTree(tree, folder)
    expect([...read].map(([name, content]) => [name, content.toString()])).toEqual([
      ['.hidden', 'h'],
      ['a/b/c', 'c'],
      ['a/z.txt', 'z'],
      ['b.txt', 'b'],
      ['Ü.txt', 'ü'],
    ])
    expect(read.get('b.txt')).toBeInstanceOf(Buffer)
  })

  it('gives nothing of a folder that is gone: an agent may remove its own', () => {
    const { tree, folder } = make()
    expect(readTree(tree, `${folder}/gone`)).toEqual(new Map())
  })

  it('reads no more than it may in all', () => {
    const { tree, folder } = make()
    expect(readTree(tree, folder, 6).size).toBe(5)
    expect(thrown(() => readTree(tree, folder, 5))).toMatchObject({
      code: 'STEP_FAILED',
      message:
        `${folder}/Ü.txt: this file has 2 bytes, and the files before it 4: more than the 5 that are read of a folder in all. ` +
        'Have the agent remove it, or write less.',
      details: { file: `${folder}/Ü.txt` },
    })
  })
})

describe('readTree, of what cannot be read,', () => {
  it('names a file that is too big, and does not read it', () => {
    const folder = tempFolder({ big: '' })
    fs.truncateSync(`${folder}/big`, 3 * 2 ** 30)
    expect(thrown(() => readTree(fs, folder, 2 ** 28)).message).toContain(
      `${folder}/big: this file has 3221225472 bytes`,
    )
  })

  it.each(['file', 'folder'])('names a %s whose name is not UTF-8', kind => {
    const folder = tempFolder()
    const named = Buffer.concat([Buffer.from(`${folder}/a`), Buffer.from([0xff])])
    if (kind === 'file') fs.writeFileSync(named, '')
    else fs.mkdirSync(named)
    const { code, message } = thrown(() => readTree(fs, folder))
    expect(code).toBe('STEP_FAILED')
    expect(message).toBe(
      `${folder}/a\ufffd: this can't be read: its name is not UTF-8. Have the agent give it another name, or remove it.`,
    )
  })

  it('names a folder that lies too deep, in short', () => {
    const folder = tempFolder()
    deepTree(folder)
    const { code, message, cause } = thrown(() => readTree(fs, folder))
    expect(code).toBe('STEP_FAILED')
    expect(cause).toMatchObject({ code: 'ENAMETOOLONG' })
    expect(message).toMatch(
      /^\/.*\/aaaaaaaa.*….*\/aaaaaaaa: this can't be read: ENAMETOOLONG: name too long\. Have the agent remove it\.$/,
    )
    expect(message.length).toBeLessThan(600)
  })
})
