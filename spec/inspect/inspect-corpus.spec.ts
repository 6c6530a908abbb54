import { cpSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { inspectCorpus, inspectScenario } from '../../src/inspect/index.ts'
import { bundledScenarios } from '../support/paths.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { problemOf } from '../support/thrown.ts'

describe('inspectCorpus', () => {
  it('inspects every scenario below a folder, in order of their paths', async () => {
    const { folder, scenarios, totals } = await inspectCorpus(bundledScenarios)
    expect(folder).toBe(bundledScenarios)
    const entries = readdirSync(bundledScenarios, { recursive: true, withFileTypes: true })
    const folders = entries.filter(({ name }) => name === 'input.json').map(({ parentPath }) => parentPath)
    expect(scenarios.map(scenario => scenario.folder)).toEqual(folders.sort())
    const files = entries.filter(entry => entry.isFile() && entry.name !== 'suite.json')
    const bytes = files.map(({ parentPath, name }) => statSync(path.join(parentPath, name)).size)
    expect(totals).toMatchObject({
      scenarios: folders.length,
      problems: 0,
      bytes: bytes.reduce((sum, size) => sum + size),
      sessions: scenarios.flatMap(({ sessions }) => sessions).length,
    })
    expect(totals.usage.inputTokens).toBe(
      scenarios.reduce((sum, scenario) => sum + scenario.totals.usage.inputTokens, 0),
    )
  })

  it('takes a folder that is a scenario itself', async () => {
    const folder = path.join(bundledScenarios, 'fork')
    const { scenarios } = await inspectCorpus(folder)
    expect(scenarios).toEqual([await inspectScenario(folder)])
  })

  it('keeps broken scenarios among the others, and those that only a suite.json names', async () => {
    const folder = tempFolder({
      'suite.json': '{ "scenarios": { "never-made": {}, "text-turn": { "headerClass": "small" } } }',
      'broken/input.json': '{',
      'inner/suite.json': 'not JSON',
    })
    for (const inner of ['text-turn', 'inner/todo-list', 'inner/bash-turn']) {
      const target = path.join(folder, inner)
      mkdirSync(path.dirname(target), { recursive: true })
      cpSync(path.join(bundledScenarios, path.basename(inner)), target, { recursive: true })
    }
    const { scenarios, totals } = await inspectCorpus(folder)
    expect(
      scenarios.map(({ folder: inner, problems }) => [path.relative(folder, inner), problems.length > 0]),
    ).toEqual([
      ['broken', true],
      ['inner/bash-turn', true],
      ['inner/todo-list', true],
      ['text-turn', false],
      ['never-made', true],
    ])
    expect(scenarios[1]?.problems).toMatchObject([{ file: path.join(folder, 'inner/suite.json'), line: 1 }])
    expect(scenarios[3]?.headerClass).toBe('small')
    expect(scenarios[4]?.problems[0]?.message).toContain("this folder can't be read")
    expect(totals.problems).toBe(scenarios.flatMap(({ problems }) => problems).length)
  })

  it('is plain data', async () => {
    const corpus = await inspectCorpus(bundledScenarios)
    expect(JSON.parse(JSON.stringify(corpus))).toEqual(corpus)
  })

  it('refuses a folder that is none, or that has no scenario', async () => {
    const folder = tempFolder()
    writeFileSync(path.join(folder, 'notes.txt'), '')
    for (const wrong of [folder, path.join(folder, 'none')]) {
      expect((await problemOf(() => inspectCorpus(wrong))).code).toBe('USAGE')
    }
  })
})
