import { describe, expect, it } from 'vitest'
import { inlineScenario, type InlineScenario, type Scenario } from '../src/fixtures/index.ts'
import { scenarioScripts } from '../src/scenario-scripts.ts'
import { answer } from './llm-replay/logs.ts'
import { logText } from './llm-replay/files.ts'
import { thrown } from './support/thrown.ts'

const gated = (...names: string[]) =>
  ({ kind: 'chunks', chunks: answer('x'), gates: names.map(name => ({ after: 0, name })) }) as const

const scenario = (inline: Partial<InlineScenario>): Scenario => inlineScenario({ steps: [], ...inline })

describe('scenarioScripts', () => {
  it('makes a script of each session, the primary first', () => {
    const { sessions, ...rest } = scenario({ sessions: [logText(['p']), logText(['c'], { createdAt: 1 })] })
    const scripts = scenarioScripts({ ...rest, sessions: [...sessions].reverse() })
    expect(scripts.map(({ name, entries }) => [name, entries.length])).toEqual([
      ['session.jsonl', 1],
      ['session.1.jsonl', 1],
    ])
  })

  it('takes a signal that a gate of any session waits for', () => {
    const steps = [
      { op: 'signal', name: 'go' },
      { op: 'signal', name: 'on' },
    ] as const
    const made = scenario({ steps, replay: [gated('go')], children: [{ replay: [gated('x', 'on')] }] })
    expect(scenarioScripts(made)).toHaveLength(2)
  })

  it('refuses a signal that no gate waits for, and says which there are', () => {
    const steps = [{ op: 'initialize' }, { op: 'signal', name: 'go' }] as const
    const made = scenario({ name: 'mine', steps, replay: [{ kind: 'hang' }, gated('on', 'off')] })
    const error = thrown(() => scenarioScripts(made))
    expect(error.code).toBe('SCENARIO_INVALID')
    expect(error.message).toBe(
      'mine/input.json: steps[1] gives the signal "go", but no entry of the overrides has a gate of that name; there are: ' +
        'on, off. Correct the name, or add the gate to the entry that it is to hold up.',
    )
    expect(error.details).toEqual({ step: 1, signal: 'go', gates: ['on', 'off'] })
    const none = scenario({ steps, replay: [{ kind: 'throw', chunks: [], message: 'm', code: 'C' }] })
    expect(thrown(() => scenarioScripts({ ...none, folder: '/dir/mine' })).message).toMatch(
      /^\/dir\/mine\/input\.json: steps\[1\] gives the signal "go", .*; there is none at all\./,
    )
  })

  it.each([
    [undefined, false],
    [true, false],
    [false, true],
  ])(
    'takes recorded answers for written ones, with placeholders, where recorded is %s: %s',
    (recorded, authored) => {
      const made = scenario({ sessions: [logText(['{{fromRequest:x}}'])] })
      const settings = { ...made.settings, ...(recorded === undefined ? {} : { recorded }) }
      const [script] = scenarioScripts({ ...made, settings })
      expect(script?.authoredAt.has(0)).toBe(authored)
    },
  )

  it('passes on what is wrong with a log or an override', () => {
    const broken = logText(['x']).split('\n').slice(0, -2).join('\n')
    expect(thrown(() => scenarioScripts(scenario({ sessions: [broken] }))).message).toContain('has no finish')
  })
})
