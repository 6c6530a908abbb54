import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { loadScenario } from '../src/fixtures/index.ts'
import { noGates, requireNoCalls } from '../src/observation.ts'
import { scenarioScripts } from '../src/scenario-scripts.ts'
import { bundledScenarios } from './support/paths.ts'
import { thrown } from './support/thrown.ts'

const counting = await loadScenario(path.join(bundledScenarios, 'text-turn'))
const { facts, ...scenario } = counting
const scripts = scenarioScripts(scenario)
const command = { command: 'agent' }

describe('requireNoCalls', () => {
  it('refuses a recording with calls that nobody sees, unless that is accepted', () => {
    const error = thrown(() => requireNoCalls(scenario, scripts, { host: command }))
    expect(error.code).toBe('USAGE')
    expect(error.message).toContain("accept that none of this is checked, by channel: 'none'")
    expect(() => requireNoCalls(scenario, scripts, { host: { ...command, channel: 'none' } })).not.toThrow()
  })

  it('has nothing against one without calls', () => {
    expect(() => requireNoCalls(scenario, [], { host: command })).not.toThrow()
    const empty = scripts.map(script => ({ ...script, entries: [] }))
    expect(() => requireNoCalls(scenario, empty, { host: command })).not.toThrow()
  })

  it('refuses a fact that counts calls, whatever is accepted', () => {
    expect(facts?.modelCalls).toBeDefined()
    const error = thrown(() => requireNoCalls(counting, [], { host: { ...command, channel: 'none' } }))
    expect(error.code).toBe('USAGE')
    expect(error.message).toContain('facts.json counts the model calls')
    expect(error.message).not.toContain("channel: 'none'")
  })
})

describe('noGates', () => {
  it('says what the composition has to mount', () => {
    const { code, message } = noGates()
    expect(code).toBe('USAGE')
    expect(message).toContain('no gate of the replayed streams can be opened')
    expect(message).toContain('mount acp-snapshot/llm-replay')
  })
})
