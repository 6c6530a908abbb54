import { expect, it } from 'vitest'
import { compareRun, runScenario, type NormalizationRule } from 'acp-snapshot'

const buildNumber: NormalizationRule = {
  name: 'build-number',
  why: 'Every build has its own number, and the greeting shows it.',
  text: () => text => text.replace(/build \d+/g, 'build {{n}}'),
}

it('does not mind the number of the build', async () => {
  const run = await runScenario({
    scenario: './fixtures/scenarios/bash-turn',
    rules: [buildNumber],
  })
  expect(compareRun(run).equal).toBe(true)
})
