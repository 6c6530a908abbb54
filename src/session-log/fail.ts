import { SnapshotError } from '../errors.ts'
import type { LogPlace } from './types.ts'

/** The error for a log that breaks its format; the caller throws it. */
export function fail(place: LogPlace, message: string, cause?: unknown): SnapshotError {
  return new SnapshotError('SESSION_LOG_INVALID', `${place.file}:${place.line}: ${message}`, {
    cause,
    details: { file: place.file, line: place.line },
  })
}

/** The error for one wrong value: says what stands there and what should. */
export function wrong(place: LogPlace, path: string, found: unknown, expected: string): SnapshotError {
  return fail(place, `${path} is ${describe(found)}; expected ${expected}`)
}

const SHOWN_CHARS = 60
const SHOWN_KEYS = 8

/** A JSON value in a few words: never walks into it, so that a huge one costs nothing. */
export function describe(value: unknown): string {
  if (value === undefined) return 'missing'
  if (Object.is(value, -0)) return '-0'
  // JSON.parse gives it for a number beyond the doubles.
  if (value === Infinity || value === -Infinity) return String(value)
  if (typeof value === 'string' && value.length > SHOWN_CHARS) {
    return `${JSON.stringify(value.slice(0, SHOWN_CHARS))}… (${value.length} characters)`
  }
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const keys = Object.keys(value)
  const shown = keys.slice(0, SHOWN_KEYS).join(', ')
  return `an object {${keys.length > SHOWN_KEYS ? `${shown}, …` : shown}}`
}
