import { z } from 'zod'
import { describe, fail, wrong } from './fail.ts'
import { isCount } from './integers.ts'
import { parseObjectLine } from './json-line.ts'
import type { SessionHeader } from './types.ts'

const COUNT = 'a safe integer >= 0'
const TEXT = 'a string that is not empty'
const count = z.custom<number>(isCount, { error: COUNT })
// An empty id or cwd would match between any two characters where it is replaced by its token.
const text = z.string({ error: TEXT }).min(1, { error: TEXT })

const Header = z.strictObject({
  type: z.literal('session', { error: '"session": the first line of a log is its header' }),
  version: z.literal(0, { error: '0' }),
  id: text,
  createdAt: count,
  cwd: z.exactOptional(text),
  parentSession: z.exactOptional(text),
  seedLength: z.exactOptional(count),
  origin: z.exactOptional(z.literal('subagent', { error: '"subagent", or no origin' })),
  delegationDepth: count,
  agentPreset: z.exactOptional(text),
})

/**
 * Reads the first line of a session log.
 *
 * @param line - the line, without its line end
 * @param file - what the log is called in messages
 * @param lineNumber - where the line stands, counted from 1; 1 if absent
 * @returns the header; its keys may stand in any order in the line
 * @throws SnapshotError `SESSION_LOG_INVALID`, beginning with `file:line`. A numeric version other than 0 is refused as
 *   unsupported before the rest is looked at.
 *
 * @public
 */
export function parseSessionHeader(line: string, file: string, lineNumber = 1): SessionHeader {
  const place = { file, line: lineNumber }
  const value = parseObjectLine(line, place)
  const version = value.version
  if (typeof version === 'number' && version !== 0) {
    throw fail(
      place,
      `session format version ${version} is not supported; expected version 0. Record the session again with a ` +
        `version of the agent that writes format 0`,
    )
  }
  const parsed = Header.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues as [z.core.$ZodIssue]
  if (issue.code === 'unrecognized_keys') {
    const allowed = Object.keys(Header.shape).join(', ')
    throw fail(place, `the header has the unknown key ${describe(issue.keys[0])}; expected only ${allowed}`)
  }
  const key = issue.path.join('.')
  throw wrong(place, `the header's ${key}`, value[key], issue.message)
}
