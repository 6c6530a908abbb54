import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'

import {
  compareRun,
  deriveReplayScript,
  loadScenario,
  runScenario,
  type ModelCall,
  type Scenario,
  type ScenarioRun,
  type SessionEvent,
} from '../../src/index.ts'
import { bundledScenarios, root } from '../support/paths.ts'
import { problemOf } from '../support/thrown.ts'

const folder = path.join(bundledScenarios, 'context-overflow')

describe('a conversation that outgrows its context window', () => {
  let scenario: Scenario
  let run: ScenarioRun

  beforeAll(async () => {
    scenario = await loadScenario(folder)
    run = await runScenario({ scenario })
  })

  it('is equal to its recording, which has no override', () => {
    expect(compareRun(run).report()).toBe('')
    expect(readdirSync(folder).filter(name => name.startsWith('replay.'))).toEqual([])
  })

  it('makes five calls of its own and, after the second file is read, one for the summary', () => {
    expect(run.modelCalls.map(call => call.request.purpose)).toEqual([
      undefined,
      undefined,
      undefined,
      'compaction',
      undefined,
      undefined,
    ])
  })

  it('has the summary from the event that recorded it', () => {
    const event = summaryOf(scenario)
    expect(event.data).toMatchObject({ llmStreamCall: true, rawOutput: event.data.summary })
    const [text] = event.data.rawOutput as readonly { readonly type: string; readonly text: string }[]
    expect(run.modelCalls[3]?.entry).toEqual({
      kind: 'chunks',
      chunks: [
        { type: 'block-start', index: 0, blockType: 'text' },
        { type: 'block-end', index: 0, block: text },
        { type: 'usage', usage: event.data.usage },
        { type: 'finish', reason: { kind: 'stop' } },
      ],
    })
    expect(run.modelCalls.map(call => call.entry)).toEqual(deriveReplayScript(logOf(scenario)))
  })

  it('goes on with the summary in the place of the first turn', () => {
    const told = run.modelCalls.map(textOf)
    const callsWith = (text: string): number[] =>
      told.flatMap((all, call) => (all.includes(text) ? [call] : []))
    const [question] = logOf(scenario).events.filter(event => event.type === 'user/message')
    expect(JSON.stringify(question?.data.content)).toContain('On which day does spring.txt have')
    expect(callsWith('On which day does spring.txt have')).toEqual([0, 1, 2, 3])
    expect(callsWith('19 March: lapwing 41, curlew')).toEqual([1, 2, 3])
    expect(callsWith('Most lapwings in spring.txt: 41, on 19 March')).toEqual([4, 5])
    expect(callsWith('6 October: lapwing')).toEqual([4, 5])
  })

  it('has no answer for the summary where the log does not mark it as a call', async () => {
    const { events } = logOf(scenario)
    const unmarked = events.map(event => {
      if (event.type !== 'compaction/summary') return event
      const { llmStreamCall, ...data } = event.data
      expect(llmStreamCall).toBe(true)
      return { ...event, data }
    })
    const sessions = scenario.sessions.map(session => ({
      ...session,
      log: { ...session.log, events: unmarked },
    }))
    const problem = await problemOf(() => runScenario({ scenario: { ...scenario, sessions } }))
    expect(problem.code).toBe('REPLAY_DRIFT')
    expect(problem.message).toContain('compaction')
  })

  it('has a composition whose two files give the model the same room', () => {
    const rows = (name: string): unknown =>
      parse(readFileSync(path.join(root, 'fixtures/compositions/dsh-small-window', name), 'utf8'))
    const model = { id: 'deepseek-v4-flash', contextWindow: 6000, maxTokens: 1000 }
    expect(rows('cordis.yml')).toContainEqual(expect.objectContaining({ config: { models: [model] } }))
    const providers = [{ id: 'deepseek-official', models: [expect.objectContaining(model)] }]
    expect(rows('cordis.snapshot.yml')).toContainEqual(expect.objectContaining({ config: { providers } }))
  })
})

describe('a request that the provider finds too long', () => {
  let scenario: Scenario

  beforeAll(async () => {
    scenario = await loadScenario(path.join(bundledScenarios, 'overflow-recovery'))
  })

  it('is made again with the summary of what came before', async () => {
    const run = await runScenario({ scenario })
    expect(compareRun(run).report()).toBe('')
    expect(run.modelCalls.map(call => [call.entry?.kind, call.request.purpose])).toEqual([
      ['chunks', undefined],
      ['throw', undefined],
      ['chunks', 'compaction'],
      ['chunks', undefined],
    ])
    const [, refused = '', , again = ''] = run.modelCalls.map(textOf)
    expect(refused).toContain('The kiln upstairs')
    expect(again).not.toContain('The kiln upstairs')
    expect(again).toContain('a note for the door of a house')
    expect(again.length).toBeLessThan(refused.length)
  })

  it('needs no override: the log has the failure as the end of its stream', async () => {
    const sessions = scenario.sessions.map(({ name, log }) => ({ name, log }))
    const run = await runScenario({ scenario: { ...scenario, sessions } })
    expect(compareRun(run).report()).toBe('')
    expect(run.modelCalls[1]?.entry).toMatchObject({
      kind: 'chunks',
      chunks: [{ type: 'finish', reason: { kind: 'error', failure: { code: 'CONTEXT_WINDOW_EXCEEDED' } } }],
    })
  })
})

function logOf({ sessions: [primary] }: Scenario) {
  if (primary === undefined) throw new Error('the scenario has no session.jsonl')
  return primary.log
}

function summaryOf(scenario: Scenario): SessionEvent {
  const summaries = logOf(scenario).events.filter(event => event.type === 'compaction/summary')
  expect(summaries).toHaveLength(1)
  const [summary] = summaries
  if (summary === undefined) throw new Error('the log holds no summary')
  return summary
}

/** The messages of a call, as one text. */
function textOf({ request }: Pick<ModelCall, 'request'>): string {
  return JSON.stringify(request.messages)
}
