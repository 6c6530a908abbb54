import { SnapshotError } from './errors.ts'
import { logNameOf } from './llm-replay/names.ts'
import type { ScenarioRun } from './run-scenario.ts'
import {
  createNormalizer,
  formatSystemPrompts,
  formatToolSchemas,
  headerSequence,
  sidecarName,
} from './transcript/index.ts'

/**
 * The files that pin the request headers of a run's session, as they stand beside its log: texts by file name,
 * `system-prompt.expected.md` and `tool-schemas.expected.json`, with the number of a child in them.
 *
 * @param child - 0 for the primary session, n for the one of `session.<n>.jsonl`
 * @throws SnapshotError `USAGE` where the run has no such session, `SCENARIO_INVALID` where it has made no model request
 * @public
 */
export function pinSidecars({ transcript }: ScenarioRun, child = 0): Readonly<Record<string, string>> {
  const name = logNameOf(child)
  const session = transcript.sessions.find(candidate => candidate.name === name)
  if (session === undefined) {
    const known = transcript.sessions.map(candidate => candidate.name).join(', ')
    throw new SnapshotError(
      'USAGE',
      `pinSidecars was asked for ${name}, which the run has no log for; it has: ${known || 'none'}. Name one of these.`,
    )
  }
  const { headers } = headerSequence(session.raw, createNormalizer(transcript.context))
  return {
    [sidecarName('prompt', child)]: formatSystemPrompts(headers.map(({ system = '' }) => system)),
    [sidecarName('tools', child)]: formatToolSchemas(headers.map(({ tools = [] }) => tools)),
  }
}
