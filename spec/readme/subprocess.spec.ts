import { it } from 'vitest'
import { compareRun, runScenario } from 'acp-snapshot'

it('answers as it was recorded, in a process of its own', async () => {
  const run = await runScenario({
    scenario: './fixtures/scenarios/text-turn',
    composition: './fixtures/compositions/dsh/cordis.yml',
    host: 'subprocess',
  })
  compareRun(run).assertEqual()
})
