import { SnapshotError } from './errors.ts'
import type { Scenario } from './fixtures/index.ts'
import type { SessionScript } from './llm-replay/index.ts'
import type { RunScenarioOptions } from './run-options.ts'

/** How to let an agent's model calls be seen. */
const advice = 'Let the composition of the command mount acp-snapshot/llm-replay, of the same version as here'

/**
 * Checks that a run whose agent keeps its model calls to itself has no need of them, or was told not to look.
 *
 * @throws SnapshotError `USAGE`, saying what can't be checked
 */
export function requireNoCalls(
  scenario: Scenario,
  scripts: readonly SessionScript[],
  { host, mode }: Pick<RunScenarioOptions, 'host' | 'mode'>,
): void {
  if (scenario.facts?.modelCalls !== undefined) {
    throw unseen('facts.json counts the model calls ("modelCalls")', `${advice}, or take the fact out`)
  }
  const isAccepted = typeof host === 'object' && host.channel === 'none'
  const hasNone = mode !== 'record' && scripts.every(({ entries }) => entries.length === 0)
  if (isAccepted || hasNone) return
  throw unseen(
    'whether its requests are those of the recording, and all of the recording is used',
    `${advice}, or accept that none of this is checked, by channel: 'none'`,
  )
}

/** The error of a step that opens a gate of the replayed streams. */
export function noGates(): SnapshotError {
  return unseen('no gate of the replayed streams can be opened', advice)
}

function unseen(what: string, todo: string): SnapshotError {
  return new SnapshotError(
    'USAGE',
    `the agent's process has told nothing of its model calls, so that this can't be checked: ${what}. ${todo}.`,
  )
}
