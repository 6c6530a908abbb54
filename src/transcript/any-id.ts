import { isZeroUuid } from './session-id-rule.ts'
import { sessionIdToken } from './tokens.ts'

/** Whether a fixture's id stands for any one id: its author wrote the token, or a UUID of zeros. */
export function standsForAnyId(id: string): boolean {
  return id === sessionIdToken || isZeroUuid(id)
}
