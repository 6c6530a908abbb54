import type { SessionHeader, SessionLog } from '../session-log/types.ts'
import type { NormalizeContext } from './normalize-context.ts'
import { normalizeEvents } from './normalize-events.ts'
import { createNormalizer } from './normalizer.ts'
import type { Normalizer } from './normalizer.ts'
import { sessionIdToken } from './tokens.ts'

/**
 * Makes a session log the same in every run: times and durations become 0, the prompt and the tools of request headers
 * become tokens where they are present, and the strings follow the rules of {@link createNormalizer}. `seq` and all other
 * numbers stay. The log comes back in its shape, without the lines of its file; applied again, it changes nothing.
 *
 * @public
 */
export function normalizeSessionLog(log: SessionLog, context: NormalizeContext): SessionLog {
  const normalizer = createNormalizer(context)
  const header = normalizeHeader(log.header, normalizer)
  return {
    file: log.file,
    header,
    headerLine: JSON.stringify(header),
    events: normalizeEvents(log.events, normalizer),
  }
}

/** The ids of a header are session ids by definition, whatever they look like. */
function normalizeHeader(header: SessionHeader, normalizer: Normalizer): SessionHeader {
  return {
    ...header,
    id: sessionIdToken,
    createdAt: 0,
    ...(header.cwd !== undefined && { cwd: normalizer.text(header.cwd) }),
    ...(header.parentSession !== undefined && { parentSession: sessionIdToken }),
    ...(header.agentPreset !== undefined && { agentPreset: normalizer.text(header.agentPreset) }),
  }
}
