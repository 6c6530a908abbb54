import { SnapshotError, type SnapshotErrorCode } from '../errors.ts'
import type { JsonObject } from '../session-log/types.ts'
import type { SentError } from './messages.ts'

/** An error, as the channel carries it. */
export function toSent(error: unknown): SentError {
  if (error instanceof SnapshotError) {
    const { code, message, details } = error
    const sent = plain(details)
    return { code, message, ...(sent === undefined ? {} : { details: sent }) }
  }
  return { message: error instanceof Error ? error.message : String(error) }
}

/** The same on the other side. */
export function fromSent({ code, message, details }: SentError): Error {
  if (code === undefined) return new Error(message)
  // Another version may have codes that this one does not know; they are still told.
  return new SnapshotError(code as SnapshotErrorCode, message, details === undefined ? {} : { details })
}

/** Details that are no data are left out: what they say is in the message. */
function plain(details: Readonly<Record<string, unknown>>): JsonObject | undefined {
  try {
    return JSON.parse(JSON.stringify(details)) as JsonObject
  } catch {
    return undefined
  }
}
