import path from 'node:path'
import { pathToFileURL } from 'node:url'

import { describe, expect } from 'vitest'

import { test } from '../../src/vitest/index.ts'
import { answers } from '../support/model-answers.ts'
import { bundledScenarios, dshComposition } from '../support/paths.ts'

const textTurn = path.join(bundledScenarios, 'text-turn')

describe('test', () => {
  test('runs a scenario with the composition that it finds', async ({ agent, run }) => {
    expect(agent).toEqual({})
    expect(await run(textTurn)).toMatchScenario()
    expect(await run(pathToFileURL(textTurn))).toHaveModelCalls(1)
  })
})

const own = test.extend({ agent: { composition: pathToFileURL(dshComposition), workspace: 'memory' } })

describe('test with an agent of its own', () => {
  own('runs what is written in place', async ({ run }) => {
    const steps = [{ op: 'initialize' }, { op: 'newSession' }, { op: 'prompt', text: 'Hello?' }] as const
    const { transcript } = await run({ steps, replay: [answers({ text: 'Here I am.' })] })
    expect(transcript.stdout).toContain('Here I am.')
  })
})

describe('test with a composition in parts', () => {
  const parts = test.extend({ agent: { composition: { config: dshComposition } } })

  parts('runs it', async ({ run }) => {
    expect(await run(textTurn)).toMatchScenario()
  })
})
