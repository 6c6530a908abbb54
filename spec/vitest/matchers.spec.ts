import path from 'node:path'

import { beforeAll, describe, expect, it } from 'vitest'

import { runScenario, type ScenarioRun } from '../../src/index.ts'
import '../../src/vitest/index.ts'
import { bundledScenarios } from '../support/paths.ts'
import { problemOf, thrownBy } from '../support/thrown.ts'

let run: ScenarioRun
let changed: ScenarioRun

beforeAll(async () => {
  run = await runScenario({ scenario: path.join(bundledScenarios, 'text-turn') })
  const expectedStdout = run.scenario.expectedStdout?.replace('Reykjavik', 'Oslo') ?? ''
  changed = { ...run, scenario: { ...run.scenario, expectedStdout } }
})

describe('toMatchScenario', () => {
  it('passes where the run is equal to its recording', async () => {
    expect(run).toMatchScenario()
    expect(changed).not.toMatchScenario()
    await expect(Promise.resolve(run)).resolves.toMatchScenario()
  })

  it('fails with the report and both sides', async () => {
    const error = await thrownBy(() => expect(changed).toMatchScenario())
    expect(error).toMatchObject({
      message: expect.stringContaining('expected "Oslo", found "Reykjavik"') as string,
    })
    const { expected, actual } = error as { expected?: unknown; actual?: unknown }
    expect(JSON.stringify(expected)).toContain('Oslo')
    expect(JSON.stringify(actual)).toContain('Reykjavik')
  })

  it('says so where the two are equal and were not to be', async () => {
    const error = await thrownBy(() => expect(run).not.toMatchScenario())
    expect((error as Error).message).toBe('text-turn is equal to its recording, and is not to be')
  })

  it.each([
    [Promise.resolve({}), 'a promise: await the run first'],
    [undefined, 'something else than a run'],
    [{ transcript: 1 }, 'something else than a run'],
  ])('refuses what is no run', async (value, what) => {
    const error = await thrownBy(() => expect(value).toMatchScenario())
    expect((error as Error).message).toBe(
      `toMatchScenario() was given ${what}. It takes what runScenario() gives.`,
    )
  })
})

describe('toHaveModelCalls', () => {
  it('says nothing of a run whose calls were not seen, either way', async () => {
    const unseen = { ...run, modelCalls: [], observed: false }
    for (const look of [
      () => expect(unseen).toHaveModelCalls({ max: 0 }),
      () => expect(unseen).not.toHaveModelCalls(1),
    ]) {
      const error = await problemOf(look)
      expect(error.code).toBe('USAGE')
      expect(error.message).toContain('text-turn: the model calls of this run were not seen')
    }
  })

  it('counts', () => {
    expect(run).toHaveModelCalls(1)
    expect(run).toHaveModelCalls({ min: 1 })
    expect(run).toHaveModelCalls({ max: 1 })
    expect(run).not.toHaveModelCalls(2)
    expect(run).not.toHaveModelCalls({ max: 0 })
  })

  it.each([
    [2, '1 model call, expected 2'],
    [{ min: 2 }, '1 model call, expected at least 2'],
    [{ min: 2, max: 3 }, '1 model call, expected 2 to 3'],
  ])('says what was found: %j', async (count, message) => {
    const error = await thrownBy(() => expect(run).toHaveModelCalls(count))
    expect((error as Error).message).toBe(`text-turn: ${message}`)
  })

  it('says what was not to be', async () => {
    const error = await thrownBy(() => expect(run).not.toHaveModelCalls(1))
    expect((error as Error).message).toBe('text-turn: 1 model call, expected not 1')
  })
})
