import { expect, it } from 'vitest'

import { checkFixtures } from '../../src/vitest/check-fixtures.ts'
import { bundledScenarios } from '../support/paths.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { problemOf } from '../support/thrown.ts'

it('is content with what is right', async () => {
  await checkFixtures(bundledScenarios)
})

it('lists everything that is wrong', async () => {
  const folder = tempFolder({ 'a/input.json': '{ "steps": [] }', 'b/input.json': '{}' })
  const error = await problemOf(() => checkFixtures(folder))
  expect(error.code).toBe('SCENARIO_INVALID')
  const lines = error.message.split('\n')
  expect(lines).toContainEqual(expect.stringMatching(/\/a.*session\.jsonl.*\[required-files\]$/))
  expect(lines).toContainEqual(expect.stringMatching(/\/b\/input\.json:1: .*\[documents\]$/))
})
