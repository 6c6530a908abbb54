import { it } from 'vitest'
import { compareRun, runScenario } from 'acp-snapshot'

it('answers as it was recorded', async () => {
  const run = await runScenario({
    scenario: './fixtures/scenarios/text-turn',
    composition: './fixtures/compositions/dsh/cordis.yml',
  })
  compareRun(run).assertEqual()
})
