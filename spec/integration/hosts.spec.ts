import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { findScenarios } from '../../src/fixtures/find-scenarios.ts'
import { loadScenario } from '../../src/index.ts'
import { compareHosts } from '../nightly/compare-hosts.ts'
import { bundledScenarios } from '../support/paths.ts'

const folders = await findScenarios(bundledScenarios)

describe('both hosts', () => {
  it.concurrent.each(folders.map(folder => [path.basename(folder), folder]))(
    'give the same transcripts of %s',
    async (_name, folder) => {
      const { problems } = await compareHosts(await loadScenario(folder))
      expect(problems).toEqual([])
    },
  )
})
