import { describe, expect, it } from 'vitest'

import {
  compareRun,
  explainRun,
  runScenario,
  type NormalizationRule,
  type ScenarioRun,
} from '../../src/index.ts'
import { answers, bash, prompts } from '../support/model-answers.ts'
import { dshComposition } from '../support/paths.ts'
import { thrownBy } from '../support/thrown.ts'

const ticket: NormalizationRule = {
  name: 'ticket',
  why: 'A ticket has a new number each time.',
  text: () => text => text.replace(/ticket \d+/g, 'ticket {{n}}'),
}

const steps = prompts('Draw a ticket.', 'And another.')
const draw = [answers(bash('echo "ticket $RANDOM$RANDOM$RANDOM"')), answers({ text: 'Drawn.' })]

const first = (): Promise<ScenarioRun> =>
  runScenario({
    composition: dshComposition,
    scenario: { steps, replay: [...draw, ...draw] },
  })

const again = async (run: ScenarioRun, rules: readonly NormalizationRule[]): Promise<ScenarioRun> =>
  await runScenario({
    composition: dshComposition,
    rules,
    scenario: {
      steps,
      stdout: run.transcript.stdout,
      sessions: run.transcript.sessions.map(({ fixture }) => fixture),
    },
  })

describe('rules of one’s own', () => {
  it('count for what is replayed, for the run and for its fixtures', async () => {
    const recorded = await first()
    expect(await thrownBy(() => again(recorded, []))).toMatchObject({ code: 'REPLAY_DRIFT' })
    const run = await again(recorded, [ticket])
    expect(compareRun(run).report()).toBe('')
    const [session] = run.transcript.sessions
    expect(session?.text).toContain('ticket {{n}}')
  })

  it('are told with the others by what they change', async () => {
    const run = await again(await first(), [ticket])
    const changes = explainRun(run).filter(({ rule }) => rule === 'ticket')
    expect(changes.length).toBeGreaterThan(1)
    expect(changes[0]).toMatchObject({
      surface: 'session.jsonl',
      path: 'data.message.content[0].content[0].text',
      after: 'ticket {{n}}\n',
    })
  })

  it('are refused where applying them twice gives something else', async () => {
    const restless: NormalizationRule = {
      name: 'restless',
      why: 'It never ends.',
      text: () => text => text.replace('Drawn', 'Drawn Drawn'),
    }
    const scenario = { steps, replay: [...draw, ...draw] }
    const error = await thrownBy(() =>
      runScenario({ composition: dshComposition, scenario, rules: [restless] }),
    )
    expect(error).toMatchObject({ code: 'USAGE', message: expect.stringContaining('"restless"') as string })
  })
})
