import { cpSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { compareRun, loadScenario, runScenario } from '../src/index.ts'
import { answers, prompts } from './support/model-answers.ts'
import { bundledScenarios, dshComposition } from './support/paths.ts'
import { tempFolder } from './support/temp-folder.ts'

const textTurn = path.join(bundledScenarios, 'text-turn')

describe('runScenario', () => {
  it('takes a folder, a scenario that was loaded, and an object', async () => {
    const loaded = await loadScenario(textTurn)
    for (const scenario of [textTurn, path.relative(process.cwd(), textTurn), loaded]) {
      expect(compareRun(await runScenario({ scenario })).report()).toBe('')
    }
    const inline = { steps: prompts('Hello?'), replay: [answers({ text: 'Hello.' })] }
    const run = await runScenario({ scenario: inline, composition: dshComposition })
    expect(run.scenario.name).toBe('inline')
    expect(run.stopReason).toBe('end_turn')
  })

  it('tells of each model call and what answered it', async () => {
    const { modelCalls, transcript } = await runScenario({
      scenario: path.join(bundledScenarios, 'subagent-spawn'),
    })
    expect(modelCalls.map(call => [call.script, call.index])).toEqual([
      ['session.jsonl', 0],
      ['session.1.jsonl', 0],
      ['session.jsonl', 1],
    ])
    expect(modelCalls[1]?.sessionId).toBe(transcript.sessions[1]?.sessionId)
    expect(modelCalls[0]?.request).toMatchObject({
      provider: 'deepseek-official',
      model: 'deepseek-v4-flash',
    })
    expect(modelCalls[0]?.entry?.kind).toBe('chunks')
  })

  it('measures its parts', async () => {
    const { timings } = await runScenario({ scenario: textTurn })
    for (const ms of Object.values(timings)) expect(ms).toBeGreaterThan(0)
    expect(Object.keys(timings).toSorted()).toEqual(['dispose', 'drive', 'import', 'mount'])
  })

  it('makes the working directory below workspaceParent, and removes it', async () => {
    const suiteFolder = tempFolder({ 'parent/other.txt': 'kept' })
    cpSync(textTurn, path.join(suiteFolder, 'one'), { recursive: true })
    const settings = { workspaceParent: 'parent' }
    const suite = { composition: dshComposition, scenarios: { one: settings } }
    writeFileSync(path.join(suiteFolder, 'suite.json'), JSON.stringify(suite))
    const run = await runScenario({ scenario: path.join(suiteFolder, 'one') })
    expect(run.transcript.sessions[0]?.raw.header.cwd).toContain(path.join(suiteFolder, 'parent') + path.sep)
    expect(compareRun(run).report()).toBe('')
    expect(readdirSync(path.join(suiteFolder, 'parent'))).toEqual(['other.txt'])
  })

  it('paces the replay', async () => {
    const { modelCalls } = await runScenario({ scenario: textTurn, paceMs: 1 })
    expect(modelCalls).toHaveLength(1)
  })

  it('puts the replay over a live composition', async () => {
    const run = await runScenario({
      scenario: textTurn,
      composition: { config: dshComposition, overlay: false },
    })
    expect(run.transcript.stdout).toBe(run.scenario.expectedStdout)
  })

  it('mounts the live composition in mode record, with no replay', async () => {
    const steps = [...prompts(), { op: 'promptExpectError', text: 'Hello?' } as const]
    const run = await runScenario({ scenario: { steps }, composition: dshComposition, mode: 'record' })
    expect(run.modelCalls).toEqual([
      { sessionId: run.transcript.sessions[0]?.sessionId, request: expect.any(Object) as object },
    ])
    expect(run.transcript.stdout).toContain('no API key for provider route')
  })
})
