import type { JsonObject, JsonValue } from '../session-log/types.ts'
import { agentStdout, invalidFrame, readFrames } from './frames.ts'
import type { NormalizeContext } from './normalize-context.ts'
import { createNormalizer } from './normalizer.ts'

/**
 * Makes an agent's standard output the same in every run: NDJSON in, NDJSON out, one compact frame a line, each with its
 * LF. Frame ids become 1, 2, 3 … in order of first sight, requests and responses together; the strings follow the
 * rules of {@link createNormalizer}. Blank lines are dropped. Applied again, it changes nothing.
 *
 * @throws SnapshotError `STDOUT_INVALID` at a line that is not a JSON object; it names the line, from 1
 * @public
 */
export function normalizeStdout(raw: string, context: NormalizeContext): string {
  const normalizer = createNormalizer(context)
  const ids = new Map<string, number>()
  let output = ''
  for (const { line, value } of readFrames(raw, agentStdout)) {
    try {
      output += `${JSON.stringify(normalizer.value(renumber(value, ids)))}\n`
    } catch (cause) {
      // A frame may nest deeper than the stack is high.
      throw invalidFrame('a value nested too deep', line, agentStdout, cause)
    }
  }
  return output
}

/** A null id is kept: the protocol answers with it where it could not read the request's. */
function renumber(frame: JsonObject, ids: Map<string, number>): JsonObject {
  const id: JsonValue | undefined = frame.id
  if (id === undefined || id === null) return frame
  const key = JSON.stringify(id)
  let number = ids.get(key)
  if (number === undefined) {
    number = ids.size + 1
    ids.set(key, number)
  }
  return { ...frame, id: number }
}
