import { expect, it } from 'vitest'
import { pinSidecars, runScenario } from 'acp-snapshot'

it('gives what a pin holds', async () => {
  const run = await runScenario({ scenario: './fixtures/scenarios/text-turn' })
  const files = pinSidecars(run) // of a child: pinSidecars(run, 1)
  expect(Object.keys(files)).toEqual(['system-prompt.expected.md', 'tool-schemas.expected.json'])
  expect(files['system-prompt.expected.md']).toContain('You are a coding assistant.')
})
