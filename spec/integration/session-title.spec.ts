import path from 'node:path'

import { beforeAll, describe, expect, it } from 'vitest'

import {
  compareRun,
  deriveReplayScript,
  loadScenario,
  runScenario,
  type ScenarioRun,
} from '../../src/index.ts'
import { answers, prompts } from '../support/model-answers.ts'
import { bundledScenarios } from '../support/paths.ts'

const folder = path.join(bundledScenarios, 'session-title')

describe('a session whose title a model words', () => {
  let run: ScenarioRun

  beforeAll(async () => {
    run = await runScenario({ scenario: folder })
  })

  it('is equal to its recording', () => {
    expect(compareRun(run).report()).toBe('')
  })

  it('calls once for the title, though there are two prompts', () => {
    const purposes = run.modelCalls.map(call => call.request.purpose ?? 'conversation')
    expect(purposes.toSorted()).toEqual(['conversation', 'conversation', 'session-title'])
  })

  it('has the title from the event that recorded it, and the conversation has its own calls', async () => {
    const titled = run.modelCalls.find(call => call.request.purpose === 'session-title')
    expect(JSON.stringify(titled?.entry)).toContain('"Bread on rainy days"')
    const [primary] = (await loadScenario(folder)).sessions
    if (primary === undefined) throw new Error('the scenario has no session.jsonl')
    expect(deriveReplayScript(primary.log)).toHaveLength(2)
    const answers = run.modelCalls.flatMap(call => (call === titled ? [] : [JSON.stringify(call.entry)]))
    expect(answers).toEqual([expect.stringContaining('Damp'), expect.stringContaining('Good luck')])
  })

  it('logs the title in the place of the first words of the prompt', () => {
    const titles = run.transcript.sessions[0]?.log.events.filter(event => event.type === 'session/title')
    expect(titles?.map(event => event.data)).toMatchObject([
      { title: 'Why does my bread not', source: { kind: 'fallback' } },
      { title: 'Bread on rainy days', source: { kind: 'provider' } },
    ])
  })
})

describe('a scenario without a recording, on an agent whose model words titles', () => {
  it('has no title from the model, and goes on', async () => {
    const run = await runScenario({
      composition: path.join(bundledScenarios, '../compositions/dsh-titled/cordis.yml'),
      scenario: {
        steps: prompts('Say hello.', 'And goodbye.'),
        replay: [answers({ text: 'hello' }), answers({ text: 'bye' })],
      },
    })
    expect(run.stopReason).toBe('end_turn')
    expect(run.unconsumed).toEqual([])
    const titles = run.transcript.sessions[0]?.log.events.filter(event => event.type === 'session/title')
    expect(titles?.map(event => event.data.title)).toEqual(['Say hello.'])
  })
})
