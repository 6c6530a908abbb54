import { SnapshotError } from '../../errors.ts'
import type { PinKind } from '../../scenario/suite.ts'
import { sidecarName } from './sidecar-name.ts'

/** The error for a session without request headers, of which a sidecar can say nothing. */
export function nothingToPin(kind: PinKind): SnapshotError {
  return new SnapshotError(
    'SCENARIO_INVALID',
    `a session that makes no model request has no request header, and a ${sidecarName(kind, 0)} holds at least one. ` +
      'Pin a scenario whose session makes a request.',
  )
}
