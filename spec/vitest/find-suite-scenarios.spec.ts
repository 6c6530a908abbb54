import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { findSuiteScenarios } from '../../src/vitest/find-suite-scenarios.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { problemOf } from '../support/thrown.ts'

describe('findSuiteScenarios', () => {
  const files = { 'b/input.json': '{}', 'deep/a/input.json': '{}' }

  it('names scenarios by their path below the folder', async () => {
    const folder = tempFolder(files)
    expect(await findSuiteScenarios(folder, undefined)).toEqual([
      { name: 'b', folder: path.join(folder, 'b') },
      { name: 'deep/a', folder: path.join(folder, 'deep/a') },
    ])
    expect(await findSuiteScenarios(folder, ['deep/a'])).toEqual([
      { name: 'deep/a', folder: path.join(folder, 'deep/a') },
    ])
  })

  it('takes the folder of one scenario by its own name', async () => {
    const folder = path.join(tempFolder(files), 'b')
    expect(await findSuiteScenarios(folder, undefined)).toEqual([{ name: 'b', folder }])
  })

  it.each([
    ['dep/a', 'did you mean deep/a?'],
    ['nothing-like-it', 'there are: b, deep/a.'],
  ])('refuses a name that is none: %s', async (name, advice) => {
    const folder = tempFolder(files)
    const error = await problemOf(() => findSuiteScenarios(folder, ['b', name]))
    expect(error.code).toBe('USAGE')
    expect(error.message).toBe(
      `"only" names ${JSON.stringify(name)}, but ${folder} has no scenario of that name; ${advice}`,
    )
  })
})
