import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { inspectCorpus } from '../../src/inspect/index.ts'
import { parseSuite } from '../../src/scenario/index.ts'
import { parseToolSchemas } from '../../src/transcript/pins/tool-schemas-file.ts'
import { bundledScenarios, root } from '../support/paths.ts'

const { scenarios } = await inspectCorpus(bundledScenarios)
const calls = scenarios.flatMap(({ sessions }) => sessions).flatMap(({ toolCalls }) => toolCalls)

const named = z.array(z.looseObject({ name: z.string() }))

/** The tools of every agent whose requests are pinned. */
const tools = new Set(
  globSync('*/tool-schemas*.expected.json', { cwd: bundledScenarios }).flatMap(name => {
    const file = path.join(bundledScenarios, name)
    return parseToolSchemas(readFileSync(file, 'utf8'), file).flatMap(list =>
      named.parse(list).map(tool => tool.name),
    )
  }),
)

const suiteFile = path.join(bundledScenarios, 'suite.json')
const suite = parseSuite(readFileSync(suiteFile, 'utf8'), suiteFile)

describe('the bundled scenarios', () => {
  it.each([...tools])('call %s', tool => {
    expect(calls.map(({ name }) => name)).toContain(tool)
  })

  it('say of each what must be true of it', () => {
    const told = globSync('*/facts.json', { cwd: bundledScenarios }).map(file => path.dirname(file))
    expect(told.sort()).toEqual(Object.keys(suite.scenarios).sort())
  })

  it('have authored answers for each that is recorded, and for no other', () => {
    const recorded = Object.entries(suite.scenarios).filter(([, { recorded }]) => recorded !== false)
    const answered = globSync('*.json', { cwd: path.join(root, 'fixtures/model-answers') })
    expect(answered.map(file => path.basename(file, '.json')).sort()).toEqual(
      recorded.map(([name]) => name).sort(),
    )
  })
})
