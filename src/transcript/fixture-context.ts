import type { SessionLog } from '../session-log/types.ts'
import type { NormalizeContext } from './normalize-context.ts'

/**
 * The context that a recorded log is normalised with: what its own header says. A header that holds tokens already, or
 * the zero UUID, needs nothing more: tokens stay as they are and a UUID is replaced whatever its digits.
 *
 * @public
 */
export function fixtureContext(log: SessionLog): NormalizeContext {
  const { id, cwd, parentSession } = log.header
  return {
    cwds: cwd === undefined ? [] : [cwd],
    sessionIds: parentSession === undefined ? [id] : [id, parentSession],
  }
}
