import { readFileSync } from 'node:fs'
import path from 'node:path'

import { beforeAll, describe, expect, it } from 'vitest'

import { pinSidecars, runScenario, type ScenarioRun } from '../src/index.ts'
import { bundledScenarios } from './support/paths.ts'
import { thrown } from './support/thrown.ts'

describe('pinSidecars', () => {
  let run: ScenarioRun

  beforeAll(async () => {
    run = await runScenario({ scenario: path.join(bundledScenarios, 'fork') })
  })

  it('gives the texts of the files that pin a session', () => {
    const pinned = (name: string): string =>
      readFileSync(path.join(bundledScenarios, 'text-turn', name), 'utf8')
    const names = ['system-prompt.expected.md', 'tool-schemas.expected.json']
    expect(pinSidecars(run)).toEqual(Object.fromEntries(names.map(name => [name, pinned(name)])))
  })

  it('names those of a child by its number', () => {
    expect(Object.keys(pinSidecars(run, 1))).toEqual([
      'system-prompt.1.expected.md',
      'tool-schemas.1.expected.json',
    ])
  })

  it('refuses a session that the run has not had, and one without a model request', async () => {
    expect(thrown(() => pinSidecars(run, 2)).message).toContain(
      'session.2.jsonl, which the run has no log for; it has: session.jsonl, session.1.jsonl',
    )
    const silent = await runScenario({ scenario: path.join(bundledScenarios, 'handshake') })
    expect(thrown(() => pinSidecars(silent)).message).toMatch(/no log for; it has: none|no request header/)
  })
})
