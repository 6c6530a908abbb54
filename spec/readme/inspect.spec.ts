import { expect, it } from 'vitest'
import { inspectScenario } from 'acp-snapshot'

it('reads the file before it edits it', async () => {
  const { sessions, problems } = await inspectScenario('./fixtures/scenarios/read-and-edit')
  const [primary] = sessions
  expect(problems).toEqual([])
  expect(primary?.toolCalls.map(call => call.name)).toEqual(['read', 'edit'])
  expect(primary?.modelCalls.at(-1)?.text).toBe('The greeting is now welcome.')
  expect(primary?.usage.outputTokens).toBeLessThan(1000)
})
