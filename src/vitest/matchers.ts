import { expect } from 'vitest'

import { compareRun } from '../comparison/compare-run.ts'
import { differenceError } from '../comparison/run-comparison.ts'
import { counted } from '../counted.ts'
import { SnapshotError } from '../errors.ts'
import type { ScenarioRun } from '../run-scenario.ts'

/** What a matcher gives back to the runner. */
interface Verdict {
  readonly pass: boolean
  readonly message: () => string
  readonly expected?: unknown
  readonly actual?: unknown
}

/** How many there may be: that many, or within bounds. @public */
export type CountRange = number | { readonly min?: number; readonly max?: number }

/**
 * Matchers for what `runScenario` gives.
 *
 * @public
 */
export interface SnapshotMatchers<R = unknown> {
  /** The run is equal to its recording, as `compareRun` says. */
  toMatchScenario(): R
  /** The agent has made so many requests to its model. */
  toHaveModelCalls(count: CountRange): R
}

declare global {
  // The runner's own interface for matchers has other type parameters in each of its major versions; both have all of these.
  // eslint-disable-next-line @typescript-eslint/no-namespace -- as the types of chai declare it
  namespace Chai {
    // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- the members come from there
    interface Assertion extends SnapshotMatchers<void> {}
  }
}

expect.extend({ toMatchScenario, toHaveModelCalls })

function toMatchScenario(received: unknown): Verdict {
  const comparison = compareRun(runOf(received, 'toMatchScenario'))
  const error = differenceError(comparison)
  if (error === undefined) {
    return { pass: true, message: () => `${comparison.scenario} is equal to its recording, and is not to be` }
  }
  const { message, expected, actual } = error
  return { pass: false, message: () => message, expected, actual }
}

function toHaveModelCalls(received: unknown, count: CountRange): Verdict {
  const { modelCalls, scenario, observed } = runOf(received, 'toHaveModelCalls')
  // Thrown, so that a negation fails as well.
  if (!observed) {
    throw new SnapshotError(
      'USAGE',
      `${scenario.name}: the model calls of this run were not seen, so that nothing can be said of how many there were. Let ` +
        'the composition of the command mount acp-snapshot/llm-replay.',
    )
  }
  const { min, max } =
    typeof count === 'number' ? { min: count, max: count } : { min: 0, max: Infinity, ...count }
  const found = modelCalls.length
  const pass = found >= min && found <= max
  const wanted = min === max ? String(min) : max === Infinity ? `at least ${min}` : `${min} to ${max}`
  return {
    pass,
    message: () =>
      `${scenario.name}: ${counted(found, 'model call')}, expected ${pass ? 'not ' : ''}${wanted}`,
    expected: count,
    actual: found,
  }
}

function runOf(received: unknown, matcher: string): ScenarioRun {
  if (
    typeof received === 'object' &&
    received !== null &&
    'transcript' in received &&
    'modelCalls' in received
  ) {
    return received as ScenarioRun
  }
  throw new SnapshotError(
    'USAGE',
    `${matcher}() was given ${received instanceof Promise ? 'a promise: await the run first' : 'something else than a run'}. ` +
      'It takes what runScenario() gives.',
  )
}
