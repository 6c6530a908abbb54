import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { compareRun, runScenario } from '../../src/index.ts'
import { dshComposition } from '../support/paths.ts'

/** A folder of scenarios that were recorded elsewhere, with the composition of the real agent in mind. */
const corpus = process.env.ACP_SNAPSHOT_CORPUS

/** Those that need plugins which the bundled composition does not mount. */
const beyond = new Set(['escalation-approved', 'hook-cc-pretool-deny', 'packed-chunks'])

describe('scenarios that were recorded elsewhere', () => {
  if (corpus === undefined || corpus === '') {
    it.skip('are equal (set ACP_SNAPSHOT_CORPUS to a folder that holds some)')
    return
  }
  const folder = path.resolve(corpus)
  const names = readdirSync(folder).filter(
    name => existsSync(path.join(folder, name, 'input.json')) && !beyond.has(name),
  )

  it.each(names)('%s is equal', async name => {
    const run = await runScenario({ scenario: path.join(folder, name), composition: dshComposition })
    expect(compareRun(run).report()).toBe('')
  })

  it('all at once are equal, twice', async () => {
    for (let round = 0; round < 2; round += 1) {
      const runs = await Promise.all(
        names.map(name => runScenario({ scenario: path.join(folder, name), composition: dshComposition })),
      )
      expect(runs.map(run => compareRun(run).report())).toEqual(names.map(() => ''))
    }
  })
})
