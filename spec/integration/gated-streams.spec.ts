import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { compareRun, loadScenario, runScenario, type Step } from '../../src/index.ts'
import { eventRecorder } from '../support/event-recorder.ts'
import { bundledScenarios, dshComposition } from '../support/paths.ts'
import { problemOf } from '../support/thrown.ts'

const folder = path.join(bundledScenarios, 'gated-stream')

describe("a child's stream that waits for a signal of the input script", () => {
  it('goes on when the turn of its parent is over, and the parent hears of its end', async () => {
    const { events, composition } = eventRecorder()
    const run = await runScenario({
      scenario: folder,
      composition: { config: dshComposition, ...composition },
    })
    expect(compareRun(run).report()).toBe('')

    const [parent, child] = run.transcript.sessions.map(session => session.sessionId)
    const chunks = places(events, child, 'assistant/chunk')
    const [firstEnd = -1, secondEnd = -1] = places(events, parent, 'turn/end')
    const [childEnd = -1] = places(events, child, 'turn/end')
    const [, , , afterGate = -1] = chunks
    expect(chunks).toHaveLength(9)
    expect(firstEnd).toBeGreaterThan(0)
    expect(afterGate).toBeGreaterThan(firstEnd)
    expect(childEnd).toBeGreaterThan(afterGate)
    expect(secondEnd).toBeGreaterThan(childEnd)
  })

  it('is served by the script of the child alone', async () => {
    const run = await runScenario({ scenario: folder })
    const gated = run.modelCalls.filter(({ entry }) => entry?.kind === 'chunks' && entry.gates !== undefined)
    expect(gated.map(({ script, index }) => [script, index])).toEqual([['session.1.jsonl', 0]])
  })

  it('never goes on without the signal, and the error says which one it waits for', async () => {
    const scenario = await loadScenario(folder)
    const steps = scenario.input.steps
      .filter(step => step.op !== 'signal')
      .map((step): Step => (step.op === 'waitForSubagentTurnEnd' ? { ...step, timeoutMs: 300 } : step))
    expect(steps).toHaveLength(scenario.input.steps.length - 1)
    const problem = await problemOf(() =>
      runScenario({ scenario: { ...scenario, input: { ...scenario.input, steps } } }),
    )
    expect(problem.message).toContain('waitForSubagentTurnEnd')
    expect(problem.message).toContain('worked-out')
  })
})

function places(
  events: ReturnType<typeof eventRecorder>['events'],
  sessionId: string | undefined,
  type: string,
): number[] {
  return events.flatMap((recorded, place) =>
    recorded.sessionId === sessionId && recorded.event.type === type ? [place] : [],
  )
}
