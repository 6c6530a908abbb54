import { describe, fail } from './fail.ts'
import type { LogPlace } from './types.ts'

/** An object as `JSON.parse` gives it, before anything is known of its values. */
export type RawObject = Readonly<Record<string, unknown>>

export function isRawObject(value: unknown): value is RawObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const BOM = '\uFEFF'

/** Reads one line that must hold one JSON object. */
export function parseObjectLine(line: string, place: LogPlace): RawObject {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    const hint = line.startsWith(BOM)
      ? 'expected UTF-8 without the byte order mark that is here. Save the file without it'
      : 'expected one JSON object a line. If a write was cut off here, remove the line or record again'
    throw fail(place, `not JSON (${String(error)}); ${hint}`, error)
  }
  if (!isRawObject(value)) throw fail(place, `the line is ${describe(value)}; expected a JSON object`)
  return value
}
