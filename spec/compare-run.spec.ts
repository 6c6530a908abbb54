import path from 'node:path'

import { beforeAll, describe, expect, it } from 'vitest'

import { compareRun, runScenario, type ScenarioRun } from '../src/index.ts'
import { answers, prompts } from './support/model-answers.ts'
import { bundledScenarios, dshComposition } from './support/paths.ts'

describe('compareRun', () => {
  let run: ScenarioRun

  beforeAll(async () => {
    run = await runScenario({ scenario: path.join(bundledScenarios, 'subagent-spawn') })
  })

  const surfaces = (changed: ScenarioRun): string[] =>
    compareRun(changed).differences.map(difference => difference.surface)

  it('finds an unchanged run equal', () => {
    const comparison = compareRun(run)
    expect(comparison).toMatchObject({ equal: true, differences: [] })
    expect(comparison.report()).toBe('')
  })

  it('reports a frame that changed', () => {
    const stdout = run.transcript.stdout.replace('end_turn', 'refusal')
    const changed = { ...run, transcript: { ...run.transcript, stdout } }
    expect(surfaces(changed)).toEqual(['stdout'])
    expect(compareRun(changed).report()).toContain('"end_turn"')
  })

  it('reports each log by its own first difference', () => {
    const sessions = run.transcript.sessions.map(session => ({
      ...session,
      log: { ...session.log, events: session.log.events.slice(0, -1) },
    }))
    const changed = { ...run, transcript: { ...run.transcript, sessions } }
    expect(surfaces(changed)).toEqual(['session.jsonl', 'session.1.jsonl'])
  })

  it('reports a log that is missing, and one that nothing expects', () => {
    const [primary, child] = run.transcript.sessions
    if (primary === undefined || child === undefined) throw new Error('the scenario has two sessions')
    const without = { ...run, transcript: { ...run.transcript, sessions: [primary] } }
    expect(surfaces(without)).toEqual(['session.1.jsonl'])
    const name = 'session.2.jsonl'
    const extra = { ...child, name, log: { ...child.log, file: name } }
    const more = { ...run, transcript: { ...run.transcript, sessions: [primary, child, extra] } }
    expect(surfaces(more)).toEqual([name])
  })

  it('reports what was recorded and not used', async () => {
    const idle = await runScenario({
      composition: dshComposition,
      scenario: {
        steps: prompts('Hello?'),
        replay: [answers({ text: 'Hello.' }), answers({ text: 'Anyone?' })],
        permissionAnswers: [{ kind: 'reject_once' }],
        stdout: '',
      },
    })
    const { equal, differences } = compareRun(idle)
    expect(equal).toBe(false)
    expect(differences.map(difference => difference.surface)).toEqual([
      'stdout',
      'model script',
      'permission answers',
    ])
    expect(differences[1]?.message).toContain('entry 1 of 2 unread')
    expect(differences[2]?.message).toContain('reject_once')
  })

  it('reports each request that differed from its recording', () => {
    const drift = { script: 'session.jsonl', index: 1, path: 'messages[2]', recorded: undefined, live: 'x' }
    const drifts = [
      { ...drift, message: 'session.jsonl:7: model call 1 differs' },
      { ...drift, index: 2, recorded: 'y', message: 'session.jsonl:9: model call 2 differs' },
    ]
    const comparison = compareRun({ ...run, drifts })
    expect(comparison.equal).toBe(false)
    expect(comparison.differences).toEqual([
      {
        surface: 'model requests of session.jsonl',
        index: 1,
        path: 'messages[2]',
        expected: undefined,
        actual: 'x',
        message: 'session.jsonl:7: model call 1 differs',
      },
      expect.objectContaining({
        index: 2,
        expected: 'y',
        actual: 'x',
        message: 'session.jsonl:9: model call 2 differs',
      }),
    ])
    expect(comparison.report()).toContain('session.jsonl:7: model call 1 differs')
    expect(comparison.report()).toContain('session.jsonl:9: model call 2 differs')
  })

  it('compares of a scenario without files the logs that it has', async () => {
    const replay = [answers({ text: 'Hello.' })]
    const delegating = answers({
      tool: 'subagent',
      id: 'c',
      args: { description: 'Water', prompt: 'Name a sea.' },
    })
    const alone = { steps: prompts('Hello?'), replay }
    const withChild = { steps: prompts('Ask.'), replay: [delegating, ...replay], children: [{ replay }] }
    for (const given of [alone, withChild]) {
      const { transcript } = await runScenario({ composition: dshComposition, scenario: given })
      const { stdout, sessions } = transcript
      const again = async (texts: readonly string[] | undefined): Promise<string[]> => {
        const scenario = { ...given, stdout, ...(texts === undefined ? {} : { sessions: texts }) }
        return surfaces(await runScenario({ composition: dshComposition, scenario }))
      }
      const primary = sessions[0]?.text ?? ''
      expect(await again(undefined)).toEqual([])
      expect(await again([primary])).toEqual([])
      expect(await again([primary.replace('"completed"', '"blocked"')])).toEqual(['session.jsonl'])
    }
  })

  it('expects no log of a session that it has none of, where the primary is not given either', () => {
    const standingIn = run.scenario.sessions.slice(0, 1).map(session => ({ ...session, standIn: true }))
    expect(run.transcript.sessions).toHaveLength(2)
    expect(surfaces({ ...run, scenario: { ...run.scenario, sessions: standingIn } })).toEqual([])
  })

  it('refuses a scenario that expects nothing', () => {
    const { expectedStdout: _, ...scenario } = run.scenario
    expect(() => compareRun({ ...run, scenario })).toThrow('says nothing of the standard output')
  })
})
