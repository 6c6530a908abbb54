import { FirstSight } from './first-sight.ts'
import type { FrameRule } from './rule.ts'

/**
 * Compiles the rule that numbers the ids of frames by first sight, those of requests in both directions together. A null
 * id is kept: the protocol answers with it where it could not read the request's.
 */
export function frameIdRule(): FrameRule {
  const ids = new FirstSight()
  return frame => {
    const { id } = frame
    if (id === undefined || id === null) return frame
    return { ...frame, id: ids.numberOf(JSON.stringify(id)) }
  }
}
