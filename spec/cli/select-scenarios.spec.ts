import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { selectScenarios } from '../../src/cli/select-scenarios.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { problemOf } from '../support/thrown.ts'

const files = { 'a/input.json': '', 'b/input.json': '', 'deep/c/input.json': '', 'other/a/input.json': '' }

describe('selectScenarios', () => {
  it('gives every scenario below the folders, each once', async () => {
    const folder = tempFolder(files)
    const at = (name: string): string => path.join(folder, name)
    expect(await selectScenarios([folder, at('b')])).toEqual([at('a'), at('b'), at('deep/c'), at('other/a')])
  })

  it('gives those of these names, by their last part or their path', async () => {
    const folder = tempFolder(files)
    const at = (name: string): string => path.join(folder, name)
    expect(await selectScenarios([folder, 'a', 'deep/c'])).toEqual([at('a'), at('other/a'), at('deep/c')])
  })

  it('keeps a scenario whose own folder is given', async () => {
    const folder = tempFolder(files)
    const at = (name: string): string => path.join(folder, name)
    expect(await selectScenarios([at('b'), at('deep'), 'c'])).toEqual([at('b'), at('deep/c')])
  })

  it.each([
    ['bb', 'did you mean b?'],
    ['nothing-like-it', 'there are: a, b, c, a'],
  ])('refuses a name that none has: %s', async (name, advice) => {
    const folder = tempFolder(files)
    const error = await problemOf(() => selectScenarios([folder, name]))
    expect(error.code).toBe('USAGE')
    expect(error.message).toBe(`"${name}" is neither a folder nor a scenario in ${folder}; ${advice}`)
  })

  it('needs a folder', async () => {
    const error = await problemOf(() => selectScenarios(['no-such-folder']))
    expect(error.message).toContain('no-such-folder: there is no such folder')
  })
})
