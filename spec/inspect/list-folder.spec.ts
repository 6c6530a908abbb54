import { symlinkSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { listFolder, workspaceFiles } from '../../src/inspect/list-folder.ts'
import { Problems } from '../../src/inspect/problems.ts'
import { tempFolder } from '../support/temp-folder.ts'

describe('listFolder', () => {
  it('follows links', async () => {
    const folder = tempFolder({ 'a.txt': '', 'b/c.txt': '' })
    symlinkSync('a.txt', path.join(folder, 'file'))
    symlinkSync('b', path.join(folder, 'folder'))
    const problems = new Problems()
    const entries = await listFolder(folder, problems)
    expect(entries.sort((a, b) => a.name.localeCompare(b.name))).toEqual([
      { name: 'a.txt', kind: 'file' },
      { name: 'b', kind: 'directory' },
      { name: 'file', kind: 'file' },
      { name: 'folder', kind: 'directory' },
    ])
    expect(problems.list).toEqual([])
  })
})

describe('workspaceFiles', () => {
  it('stops where there are too many, and says so once', async () => {
    const folder = tempFolder({
      'workspace/a/1': 'x',
      'workspace/a/2': 'y',
      'workspace/b/3': '',
      'workspace/c': '',
    })
    const files = async (entries: number) => {
      const problems = new Problems()
      const found = await workspaceFiles(folder, 'workspace', problems, { entries })
      return { names: found.map(({ name }) => name).sort(), problems: problems.list }
    }
    expect(await files(6)).toEqual({
      names: ['workspace/a/1', 'workspace/a/2', 'workspace/b/3', 'workspace/c'],
      problems: [],
    })
    expect(await files(2)).toMatchObject({ names: [], problems: [{ file: path.join(folder, 'workspace') }] })
    const { names, problems } = await files(3)
    expect(names).toEqual(['workspace/c'])
    expect(problems).toHaveLength(1)
    expect(problems[0]?.message).toContain('there are too many')
  })

  it('does not follow a link to a folder', async () => {
    const folder = tempFolder({ 'workspace/a/1': 'x' })
    symlinkSync('..', path.join(folder, 'workspace/a/loop'))
    const problems = new Problems()
    expect(await workspaceFiles(folder, 'workspace', problems)).toEqual([
      { name: 'workspace/a/1', size: 1 },
      { name: 'workspace/a/loop', size: 0 },
    ])
  })
})
