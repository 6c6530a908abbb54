import type { SessionHeader, SessionLog } from '../session-log/types.ts'
import { headerIdentityRule } from './built-in-rules.ts'
import { furtherRule } from './further-rules.ts'
import type { NormalizeContext } from './normalize-context.ts'
import { normalizeEvents } from './normalize-events.ts'
import { createNormalizer } from './normalizer.ts'
import type { Normalizer } from './normalizer.ts'

/**
 * Makes a session log the same in every run: times and durations become 0, the prompt and the tools of request headers
 * become tokens where they are present, hook handlers are numbered by first sight, and the strings follow the rules of
 * {@link createNormalizer}. `seq` and all other numbers stay. The log comes back in its shape, without the lines of its
 * file; applied again, it changes nothing.
 *
 * @throws SnapshotError `USAGE` where one of the context's own rules changes what it has made
 * @public
 */
export function normalizeSessionLog(log: SessionLog, context: NormalizeContext): SessionLog {
  const normalizer = createNormalizer(context)
  const header = normalizeHeader(log.header, normalizer, context)
  return {
    file: log.file,
    header,
    headerLine: JSON.stringify(header),
    events: normalizeEvents(log.events, normalizer, context),
  }
}

function normalizeHeader(
  header: SessionHeader,
  normalizer: Normalizer,
  context: NormalizeContext,
): SessionHeader {
  const builtIn = headerIdentityRule.header(context)(header)
  const further = furtherRule(context, 'header')
  const known = further === undefined ? builtIn : further(builtIn)
  return {
    ...known,
    ...(known.cwd !== undefined && { cwd: normalizer.text(known.cwd) }),
    ...(known.agentPreset !== undefined && { agentPreset: normalizer.text(known.agentPreset) }),
  }
}
