import { expect, it } from 'vitest'
import { verifyFixtures } from 'acp-snapshot'

it('has nothing wrong in its fixtures', async () => {
  expect(await verifyFixtures('./fixtures/scenarios')).toEqual([])
})
