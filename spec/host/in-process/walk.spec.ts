import fs from 'node:fs'

import { createFsFromVolume, Volume } from 'memfs'
import { describe, expect, it } from 'vitest'

import { readTree, type ReadableTree } from '../../../src/host/in-process/walk.ts'
import { tempFolder } from '../../support/temp-folder.ts'

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
      existsSync: file => fs.existsSync(file),
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
})
