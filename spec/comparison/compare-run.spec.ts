import path from 'node:path'

import { beforeAll, describe, expect, it } from 'vitest'

import { compareRun, runScenario, SnapshotError, type JsonObject, type ScenarioRun } from '../../src/index.ts'
import { answers, prompts } from '../support/model-answers.ts'
import { bundledScenarios, dshComposition } from '../support/paths.ts'
import { thrown } from '../support/thrown.ts'

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
    // The child's last event came before the primary's.
    expect(surfaces(changed)).toEqual(['session.1.jsonl', 'session.jsonl'])
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

  it('refuses a scenario that expects nothing', async () => {
    const scenario = { steps: prompts('Hello?'), replay: [answers({ text: 'Hello.' })] }
    const idle = await runScenario({ composition: dshComposition, scenario })
    expect(() => compareRun(idle)).toThrow('says nothing of what it expects')
  })
})

describe('compareRun, of what suite.json and facts.json declare,', () => {
  const composition = dshComposition

  it('checks facts where there is nothing else to compare', async () => {
    const scenario = { steps: prompts('Hello?'), replay: [answers({ text: 'Hello.' })] }
    const facts = { modelCalls: 1, onlyTools: [], finalText: { equals: 'Good day.' } }
    const { equal, differences } = compareRun(
      await runScenario({ composition, scenario: { ...scenario, facts } }),
    )
    expect(equal).toBe(false)
    expect(differences).toMatchObject([
      { surface: 'facts.json', path: 'finalText.equals', expected: 'Good day.', actual: 'Hello.' },
    ])
  })

  it('allows no call of a tool that there is not, whatever is said', async () => {
    const replay = [answers({ tool: 'teleport', args: {} }), answers({ text: 'I am still here.' })]
    const run = await runScenario({
      composition,
      scenario: { steps: prompts('Go.'), replay, facts: { toolErrors: [{ tool: 'teleport' }] } },
    })
    expect(run.brokenFacts.map(({ message }) => message)).toEqual([expect.stringContaining('UNKNOWN_TOOL')])
    expect(compareRun(run).equal).toBe(false)
  })

  it('says so where request headers are not pinned', async () => {
    const scenario = { steps: prompts('Hello?'), replay: [answers({ text: 'Hello.' })], stdout: '' }
    const comparison = compareRun(await runScenario({ composition, scenario }))
    expect(comparison.pinned).toBe(false)
    expect(comparison.report()).toMatch(
      /\nrequest headers are not pinned: prompt and tools were not compared$/,
    )
  })

  describe('of the bundled suite', () => {
    let run: ScenarioRun

    beforeAll(async () => {
      run = await runScenario({ scenario: path.join(bundledScenarios, 'fork') })
    })

    /** The run with other values in the request header of one log. */
    const withHeader = (
      log: number,
      seq: number,
      change: (header: JsonObject) => JsonObject,
    ): ScenarioRun => {
      const sessions = run.transcript.sessions.map((session, at) => {
        if (at !== log) return session
        const events = session.raw.events.map(event =>
          event.seq === seq
            ? { ...event, data: { ...event.data, header: change(event.data.header as JsonObject) } }
            : event,
        )
        return { ...session, raw: { ...session.raw, events } }
      })
      return { ...run, transcript: { ...run.transcript, sessions } }
    }
    const headerSeqs = (log: number): number[] =>
      (run.transcript.sessions[log]?.raw.events ?? []).flatMap(({ type, seq }) =>
        type === 'request/header' ? [seq] : [],
      )

    it('is pinned', () => {
      expect(compareRun(run)).toMatchObject({ equal: true, pinned: true })
    })

    it('shows a prompt that changed as a text diff of that section alone', () => {
      const [seq = -1] = headerSeqs(0)
      const changed = withHeader(0, seq, header => ({
        ...header,
        system: (header.system as string).replace('brief', 'long'),
      }))
      const comparison = compareRun(changed)
      expect(comparison.differences.map(({ surface }) => surface)).toEqual([
        'request headers of session.jsonl',
      ])
      expect(comparison.report()).toMatch(/^ {2}-.*keep answers brief and factual/m)
      expect(comparison.report()).toMatch(/^ {2}\+.*keep answers long and factual/m)
    })

    it('compares the headers of a child, its own and what it has inherited', () => {
      const [inherited = -1, own = -1] = headerSeqs(1)
      expect(inherited).toBeLessThan(run.transcript.sessions[1]?.raw.header.seedLength ?? 0)
      for (const seq of [inherited, own]) {
        const changed = withHeader(1, seq, header => ({ ...header, tools: [] }))
        const surfaces = compareRun(changed).differences.map(({ surface, index }) => [surface, index])
        expect(new Set(surfaces.map(String))).toEqual(new Set([`request headers of session.1.jsonl,${seq}`]))
      }
    })

    it('names a link between two logs that is another than in the recording', () => {
      const [primary, child] = run.transcript.sessions
      if (primary === undefined || child === undefined) throw new Error('the scenario has two sessions')
      const header = { ...child.raw.header, parentSession: '3f2504e0-4f89-41d3-9a0c-0305e82c3301' }
      const sessions = [primary, { ...child, raw: { ...child.raw, header } }]
      const { differences } = compareRun({ ...run, transcript: { ...run.transcript, sessions } })
      expect(differences).toMatchObject([
        { surface: 'ids of session.1.jsonl', index: -1, path: 'parentSession', expected: primary.sessionId },
      ])
    })

    it('fails with the report, and with both sides for the diff of a test runner', () => {
      const stdout = run.transcript.stdout.replace('end_turn', 'refusal')
      const changed = { ...run, transcript: { ...run.transcript, stdout } }
      expect(() => compareRun(run).assertEqual()).not.toThrow()
      const error = thrown(() => compareRun(changed).assertEqual())
      expect(error).toBeInstanceOf(SnapshotError)
      expect(error).toMatchObject({
        code: 'RUN_DIFFERS',
        message: expect.stringContaining('fork differs from its recording.\nstdout frame') as string,
        expected: { 'stdout frame 4': { result: { stopReason: 'end_turn' } } },
        actual: { 'stdout frame 4': { result: { stopReason: 'refusal' } } },
      })
    })

    it('is plain data as JSON', () => {
      const comparison = compareRun({ ...run, unconsumed: ['one entry'] })
      expect(JSON.parse(JSON.stringify(comparison))).toEqual({
        scenario: 'fork',
        equal: false,
        pinned: true,
        observed: true,
        differences: [expect.objectContaining({ surface: 'model script', message: 'one entry' })],
      })
    })
  })
})
