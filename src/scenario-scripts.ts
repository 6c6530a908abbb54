import { SnapshotError } from './errors.ts'
import type { Scenario } from './fixtures/index.ts'
import { buildSessionScripts, type SessionScript } from './llm-replay/index.ts'
import type { NormalizationRule } from './transcript/index.ts'

/**
 * The scripts of a scenario's sessions, the primary first.
 *
 * @param rules - further rules of normalisation
 * @throws SnapshotError from a log or an override; with code `SCENARIO_INVALID` where a step gives a signal that no gate
 * waits for
 */
export function scenarioScripts(
  { sessions, settings, input, name, folder }: Scenario,
  rules: readonly NormalizationRule[] = [],
): SessionScript[] {
  const authored = settings.recorded === false ? { authored: true } : {}
  const scripts = buildSessionScripts(
    sessions.map(session => ({ ...session, ...authored })),
    rules,
  )
  const gates = gatesOf(scripts)
  for (const [index, step] of input.steps.entries()) {
    if (step.op !== 'signal' || gates.has(step.name)) continue
    const known = gates.size === 0 ? 'there is none at all' : `there are: ${[...gates].join(', ')}`
    throw new SnapshotError(
      'SCENARIO_INVALID',
      `${folder ?? name}/input.json: steps[${index}] gives the signal ${JSON.stringify(step.name)}, but no entry of the ` +
        `overrides has a gate of that name; ${known}. Correct the name, or add the gate to the entry that it is to hold up.`,
      { details: { step: index, signal: step.name, gates: [...gates] } },
    )
  }
  return scripts
}

function gatesOf(scripts: readonly SessionScript[]): ReadonlySet<string> {
  const names = new Set<string>()
  for (const { entries } of scripts) {
    for (const entry of entries) {
      if ('gates' in entry) for (const gate of entry.gates) names.add(gate.name)
    }
  }
  return names
}
