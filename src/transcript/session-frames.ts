import type { JsonObject, JsonValue } from '../session-log/types.ts'
import type { Difference } from './difference.ts'
import { agentStdout, readFrames } from './frames.ts'

/**
 * What standard output says of sessions by itself: each `session/new` is answered with an id of its own, and the agent
 * names no other session to the client. Tokens stand for any id, so that no recording could tell.
 *
 * @returns the first frame that breaks this
 */
export function sessionDifference(stdout: string): Difference | undefined {
  const frames = Array.from(readFrames(stdout, agentStdout), ({ value }) => value)
  const opened = new Map<string, number>()
  for (const [index, { result }] of frames.entries()) {
    const id = sessionIdOf(result)
    if (id === undefined) continue
    const first = opened.get(id)
    if (first !== undefined) {
      return broken(
        index,
        'result.sessionId',
        'an id of its own',
        id,
        `the session of frame ${first + 1} once more`,
      )
    }
    opened.set(id, index)
  }
  if (opened.size === 0) return undefined
  for (const [index, { params }] of frames.entries()) {
    const id = sessionIdOf(params)
    if (id === undefined || opened.has(id)) continue
    const [known = ''] = opened.keys()
    return broken(index, 'params.sessionId', known, id, 'a session that the client has not opened')
  }
  return undefined
}

function sessionIdOf(value: JsonValue | undefined): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const { sessionId } = value as JsonObject
  return typeof sessionId === 'string' ? sessionId : undefined
}

function broken(index: number, path: string, expected: string, actual: string, what: string): Difference {
  const message = `stdout frame ${index + 1} names ${what} at ${path}: expected ${expected}, found ${actual}`
  return { surface: 'ids of stdout', index, path, expected, actual, message }
}
