import type { ScenarioRun } from '../run-scenario.ts'
import type { SessionLog } from '../session-log/index.ts'
import { compareHeaders, createNormalizer, headerSequence, type Difference } from '../transcript/index.ts'
import { timed } from './difference-time.ts'

/** Where the request headers of a run's logs differ from their pins; those of a log without one are not looked at. */
export function headerDifferences(run: ScenarioRun): Difference[] {
  const { scenario, transcript } = run
  const normalizer = createNormalizer(transcript.context)
  const differences = transcript.sessions.flatMap(({ name, raw }) => {
    const surface = `request headers of ${name}`
    const pin = scenario.pins?.get(name)
    return [
      ...inheritedDifferences(surface, raw, run),
      ...(pin === undefined ? [] : compareHeaders(surface, pin, headerSequence(raw, normalizer))),
    ]
  })
  return differences.map(difference => timed(difference, run))
}

/** What a fork has inherited are its parent's headers, up to where it began: the parent's pin holds for them. */
function inheritedDifferences(
  surface: string,
  raw: SessionLog,
  { scenario, transcript }: ScenarioRun,
): Difference[] {
  const { parentSession, seedLength = 0 } = raw.header
  const parent = transcript.sessions.find(({ sessionId }) => sessionId === parentSession)
  const pin = parent === undefined ? undefined : scenario.pins?.get(parent.name)
  if (pin === undefined || seedLength === 0) return []
  const { changes: _, ...parts } = pin
  const inherited = {
    ...raw,
    header: { ...raw.header, seedLength: 0 },
    events: raw.events.slice(0, seedLength),
  }
  return compareHeaders(surface, parts, headerSequence(inherited, createNormalizer(transcript.context)))
}
