import { describe, expect, it } from 'vitest'

import { runScenario, type InlineChild, type ScenarioRun } from '../../src/index.ts'
import { withCallOrder } from '../support/call-order.ts'
import { answers, prompts, type Answer } from '../support/model-answers.ts'
import { dshComposition } from '../support/paths.ts'

const delegate = (id: string, description: string, prompt: string): Answer => ({
  tool: 'subagent',
  id,
  args: { description, prompt },
})

const says = (text: string, rest: Omit<InlineChild, 'replay'>): InlineChild => ({
  ...rest,
  replay: [answers({ text })],
})

/** What the tool calls of the parent gave it, by the id of the call. */
function results(run: ScenarioRun): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  for (const { type, data } of run.transcript.sessions[0]?.log.events ?? []) {
    if (type !== 'tool/result') continue
    const message = data.message as { content: [{ toolCallId: string; content: [{ text: string }] }] }
    found[message.content[0].toolCallId] = message.content[0].content[0].text
  }
  return found
}

const sea = 'Name a sea.'
const lake = 'Name a lake.'

describe('children that run at once', () => {
  it.each([
    [sea, lake],
    [lake, sea],
  ])('get the answers of their own prompt, whichever calls first (%s)', async (first, second) => {
    const run = await runScenario({
      composition: withCallOrder(first, second),
      scenario: {
        steps: prompts('Ask for a sea and a lake at once.'),
        replay: [
          answers(delegate('call_sea', 'Water', sea), delegate('call_lake', 'Water', lake)),
          answers({ text: 'Baltic and Ladoga.' }),
        ],
        children: [
          says('Baltic', { label: 'Water', prompt: sea }),
          says('Ladoga', { label: 'Water', prompt: lake }),
        ],
      },
    })
    expect(results(run)).toEqual({ call_sea: 'Baltic', call_lake: 'Ladoga' })
    expect(run.unconsumed).toEqual([])
    // Each log has the number of its script, whichever was begun first.
    const prompted = run.transcript.sessions.map(({ name, log }) => [
      name,
      log.events.find(({ type }) => type === 'user/message')?.data.content,
    ])
    expect(prompted.slice(1)).toEqual([
      ['session.1.jsonl', [{ type: 'text', text: sea }]],
      ['session.2.jsonl', [{ type: 'text', text: lake }]],
    ])
  })

  it('are told apart by their labels where their prompts are equal', async () => {
    const ask = 'Name some water.'
    const run = await runScenario({
      composition: dshComposition,
      scenario: {
        steps: prompts('Ask for a sea and a lake at once.'),
        replay: [
          answers(delegate('call_sea', 'Salt', ask), delegate('call_lake', 'Fresh', ask)),
          answers({ text: 'Baltic and Ladoga.' }),
        ],
        children: [says('Ladoga', { label: 'Fresh' }), says('Baltic', { label: 'Salt' })],
      },
    })
    expect(results(run)).toEqual({ call_sea: 'Baltic', call_lake: 'Ladoga' })
  })

  it('are answered in order of their first call where nothing tells them apart', async () => {
    const run = await runScenario({
      composition: dshComposition,
      scenario: {
        steps: prompts('Ask for two seas at once.'),
        replay: [
          answers(delegate('call_one', 'Water', sea), delegate('call_two', 'Water', sea)),
          answers({ text: 'Baltic and Aral.' }),
        ],
        children: [
          says('Baltic', { label: 'Water', prompt: sea }),
          says('Aral', { label: 'Water', prompt: sea }),
        ],
      },
    })
    const answered = run.modelCalls.map(({ script }) => script)
    expect(answered).toEqual(['session.jsonl', 'session.1.jsonl', 'session.2.jsonl', 'session.jsonl'])
    expect(Object.values(results(run)).sort()).toEqual(['Aral', 'Baltic'])
  })
})

describe('a child that was written for a prompt or a label', () => {
  it.each([
    [{ prompt: 'Name a sea' }, 'prompt "Name a sea"'],
    [{ label: 'water', prompt: sea }, 'label "water", prompt "Name a sea."'],
  ])('answers no other (%j)', async (lineage, told) => {
    const run = runScenario({
      composition: dshComposition,
      scenario: {
        steps: prompts('Ask for a sea.'),
        replay: [answers(delegate('call_sea', 'Water', sea)), answers({ text: 'Baltic.' })],
        children: [says('Baltic', lineage)],
      },
    })
    await expect(run).rejects.toMatchObject({ code: 'REPLAY_EXHAUSTED' })
    await expect(run).rejects.toThrow(`started by "{{sessionId}}", ${told}`)
    await expect(run).rejects.toThrow('label "Water", prompt "Name a sea.") calls the model')
    await expect(run).rejects.toThrow('Correct the label or the prompt of the one that is meant')
  })
})

describe('a session that nothing was recorded for', () => {
  it('does not get the script of the session that started it', async () => {
    const run = runScenario({
      composition: dshComposition,
      scenario: {
        steps: prompts('Ask for a sea.'),
        replay: [answers(delegate('call_sea', 'Water', sea)), answers({ text: 'Baltic.' })],
      },
    })
    await expect(run).rejects.toThrow(
      new RegExp(
        `started by "[0-9a-f-]{36}", label "Water", prompt "${sea}"\\) calls the model, but no script is left for it`,
      ),
    )
  })
})

describe('two sessions of one client', () => {
  it('have their own scripts', async () => {
    const [initialize, newSession, firstPrompt] = prompts('To the first.')
    const [, , secondPrompt] = prompts('To the second.')
    const steps = [initialize, newSession, firstPrompt, newSession, secondPrompt].filter(
      step => step !== undefined,
    )
    const run = await runScenario({
      composition: dshComposition,
      scenario: {
        steps,
        replay: [answers({ text: 'one' })],
        children: [says('two', { prompt: 'To the second.' })],
      },
    })
    expect(run.modelCalls.map(({ script }) => script)).toEqual(['session.jsonl', 'session.1.jsonl'])
    expect(run.unconsumed).toEqual([])
  })
})
