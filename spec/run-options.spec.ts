import { describe, expect, it } from 'vitest'

import { SnapshotError } from '../src/index.ts'
import { checkRunOptions, type RunScenarioOptions } from '../src/run-options.ts'

const scenario = { steps: [] }

/** What a caller without types may pass. */
function problemsOf(options: object): string {
  try {
    checkRunOptions(options as RunScenarioOptions)
    return ''
  } catch (error) {
    if (error instanceof SnapshotError && error.code === 'USAGE') return error.message
    throw error
  }
}

describe('checkRunOptions', () => {
  it.each([
    { scenario },
    {
      scenario: 'folder',
      composition: 'cordis.yml',
      mode: 'replay',
      host: 'in-process',
      workspace: 'memory',
    },
    { scenario, composition: { config: 'cordis.yml' }, env: { A: 'b' }, paceMs: 0, timeouts: { mount: 1 } },
    { scenario, signal: AbortSignal.timeout(1), drift: 'report' },
  ])('takes %j', options => expect(problemsOf(options)).toBe(''))

  it.each([
    [{}, 'scenario'],
    [{ scenario: 7 }, 'scenario'],
    [{ scenario: '' }, 'scenario'],
    [{ scenario: { steps: [], replays: [] } }, 'replays'],
    [
      { scenario: { steps: [], replay: 5 } },
      'scenario.replay: expected an array of entries, or {"patches":[…]}',
    ],
    [{ scenario: { steps: [], workspace: { 'a.txt': 1 } } }, 'scenario.workspace.a.txt'],
    [{ scenario, composition: {} }, 'composition.config'],
    [{ scenario, composition: '' }, 'composition'],
    [{ scenario, composition: { config: 'c', overlay: 5 } }, 'composition.overlay'],
    [{ scenario, composition: { config: 'c', patches: [{ insert: 5 }] } }, 'composition.patches.0.insert'],
    [{ scenario, composition: { config: 'c', overlays: false } }, 'overlays'],
    [{ scenario: { input: {} } }, 'scenario.input.steps'],
    [{ scenario, mode: 'rerecord' }, 'mode'],
    [{ scenario, host: 'moon' }, 'host'],
    [{ scenario, workspace: 'tape' }, 'workspace'],
    [{ scenario, env: { A: 1 } }, 'env.A'],
    [{ scenario, paceMs: -1 }, 'paceMs'],
    [{ scenario, drift: 'off' }, 'drift'],
    [{ scenario, timeouts: { mount: 0 } }, 'timeouts.mount'],
    [{ scenario, timeouts: { drive: 1 } }, 'drive'],
    [{ scenario, compositions: 'cordis.yml' }, 'compositions'],
  ])('refuses %j, naming %s', (options, named) => expect(problemsOf(options)).toContain(named))
})

describe('rules', () => {
  const rule = { name: 'build-number', why: 'Each build has its own.', text: () => (text: string) => text }
  const problemWith = (...rules: object[]): string => problemsOf({ scenario, rules })

  it('have a name, a reason, and parts that are functions', () => {
    expect(problemWith(rule, { name: 'other', why: 'Too.' })).toBe('')
    expect(problemWith({ ...rule, name: 'Build number' })).toContain(
      'rules.0.name: expected words in lower case, joined by hyphens',
    )
    expect(problemWith({ name: 'other' })).toContain('rules.0.why')
    expect(problemWith({ ...rule, text: 'x' })).toContain('rules.0.text: expected a function')
    expect(problemWith({ ...rule, texts: rule.text })).toContain('texts')
  })

  it('have names that nothing else has', () => {
    expect(problemWith(rule, rule)).toContain('rules.1.name: "build-number" is taken')
    expect(problemWith({ ...rule, name: 'cwd' })).toContain('rules.0.name: "cwd" is taken')
  })
})
