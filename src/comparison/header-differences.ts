import type { ScenarioRun } from '../run-scenario.ts'
import type { SessionLog } from '../session-log/index.ts'
import {
  compareHeaders,
  createNormalizer,
  headerSequence,
  type Difference,
  type LogPin,
  type Normalizer,
} from '../transcript/index.ts'
import { timed } from './difference-time.ts'

/** Where the request headers of a run's logs differ from their pins; those of a log without one are not looked at. */
export function headerDifferences(run: ScenarioRun): Difference[] {
  const { scenario, transcript } = run
  const { pins } = scenario
  if (pins === undefined) return []
  const normalizer = createNormalizer(transcript.context)
  const differences = transcript.sessions.flatMap(({ name, raw }) => {
    const surface = `request headers of ${name}`
    const pin = pins.get(name)
    return [
      ...inheritedDifferences(surface, raw, pinOfParent(raw, run), normalizer),
      ...(pin === undefined ? [] : compareHeaders(surface, pin, headerSequence(raw, normalizer))),
    ]
  })
  return differences.map(difference => timed(difference, run))
}

/** What a log has to have in the headers that it has inherited; undefined where it has none, or its parent no pin. */
function pinOfParent({ header }: SessionLog, { scenario, transcript }: ScenarioRun): LogPin | undefined {
  const parent = transcript.sessions.find(({ sessionId }) => sessionId === header.parentSession)
  return parent === undefined ? undefined : scenario.pins?.get(parent.name)
}

/** What a fork has inherited are its parent's headers, up to where it began: the parent's pin holds for them. */
function inheritedDifferences(
  surface: string,
  raw: SessionLog,
  pin: LogPin | undefined,
  normalizer: Normalizer,
): Difference[] {
  const { seedLength = 0 } = raw.header
  if (pin === undefined || seedLength === 0) return []
  const { changes: _, ...parts } = pin
  const inherited = {
    ...raw,
    header: { ...raw.header, seedLength: 0 },
    events: raw.events.slice(0, seedLength),
  }
  return compareHeaders(surface, parts, headerSequence(inherited, normalizer))
}
