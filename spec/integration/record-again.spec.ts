import { cpSync, existsSync, readdirSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it, vi } from 'vitest'

import { recordScenario, refreshScenario } from '../../src/index.ts'
import { readAnswers } from '../support/model-server/model-answers-file.ts'
import { bundledScenarios, root } from '../support/paths.ts'
import { modelWith } from '../support/recording.ts'
import { tempFolder } from '../support/temp-folder.ts'

const names = readdirSync(bundledScenarios, { withFileTypes: true })
  .filter(entry => entry.isDirectory())
  .map(entry => entry.name)

const answersOf = (name: string): string => path.join(root, 'fixtures/model-answers', `${name}.json`)

/** A copy of a scenario and of those that keep pins for it, from where the compositions are found too. */
function copyWithSuite(name: string): string {
  const folder = tempFolder({}, path.dirname(bundledScenarios))
  cpSync(bundledScenarios, folder, { recursive: true })
  return path.join(folder, name)
}

describe('the bundled scenarios', () => {
  it.each(names.filter(name => existsSync(answersOf(name))))(
    '%s changes in nothing where it is recorded again, and refreshed',
    async name => {
      const server = await modelWith(...readAnswers(answersOf(name)).answers)
      const scenario = copyWithSuite(name)
      expect((await recordScenario({ scenario })).changed).toEqual([])
      expect(server.unanswered).toEqual([])
      expect(server.left()).toEqual([])
      vi.unstubAllEnvs()
      expect((await refreshScenario({ scenario })).changes).toEqual([])
    },
  )
})
