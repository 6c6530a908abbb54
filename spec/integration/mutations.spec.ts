import { readdirSync } from 'node:fs'
import path from 'node:path'

import { beforeAll, describe, expect, it } from 'vitest'

import { randomFrom } from '../../bench/support/random.ts'
import { compareRun, runScenario, type ScenarioRun } from '../../src/index.ts'
import { bundledScenarios } from '../support/paths.ts'
import { asAnotherRun, given, mutations, withGiven } from './mutations.ts'

const names = readdirSync(bundledScenarios, { withFileTypes: true })
  .filter(entry => entry.isDirectory())
  .map(entry => entry.name)

/** How often each kind is tried on each scenario. */
const rounds = 1

describe('a run that was changed', () => {
  const made = new Map<string, number>()

  describe.each(names)('%s', name => {
    let run: ScenarioRun

    beforeAll(async () => {
      run = await runScenario({ scenario: path.join(bundledScenarios, name) })
    })

    it('is equal where nothing was', () => {
      expect(compareRun(run).report()).toBe('')
      expect(compareRun(withGiven(run, given(run))).report()).toBe('')
      for (const seed of [1, 2, 3]) expect(compareRun(asAnotherRun(run, seed)).report()).toBe('')
    })

    it.each(Object.keys(mutations))('is reported: %s', kind => {
      for (let round = 0; round < rounds; round += 1) {
        const changed = given(run)
        const random = randomFrom(1000 * names.indexOf(name) + round)
        const place = mutations[kind]?.(changed, random)
        if (place === undefined) continue
        made.set(kind, (made.get(kind) ?? 0) + 1)
        const comparison = compareRun(withGiven(run, changed))
        expect({ place, equal: comparison.equal }).toEqual({ place, equal: false })
        expect(comparison.report().split('\n').length).toBeLessThan(60)
      }
    })
  })

  it('was changed in every way, and more than two hundred times in all', () => {
    expect([...made.keys()].sort()).toEqual(Object.keys(mutations).sort())
    expect([...made.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(200)
  })
})
