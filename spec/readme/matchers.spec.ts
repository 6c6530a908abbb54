import { expect } from 'vitest'
import { test } from 'acp-snapshot/vitest'

const it = test.extend({ agent: { composition: './fixtures/compositions/dsh/cordis.yml' } })

it('edits the greeting', async ({ run }) => {
  const edited = await run('./fixtures/scenarios/read-and-edit')
  expect(edited).toMatchScenario()
  expect(edited).toHaveModelCalls({ max: 3 })
  expect(edited.workspace.get('config.ini')?.toString()).toContain('welcome')
})
