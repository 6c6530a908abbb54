import type { JsonPath } from '../scenario/json-scan.ts'
import { formatPath } from '../scenario/parse-document.ts'
import type { ToolCallRecord } from '../session-log/index.ts'
import type { Difference } from './difference.ts'

/** What facts are called among the surfaces of a run. */
const surface = 'facts.json'

const placesAtMost = 3

/** A tool call, and the log that it stands in. */
export interface PlacedCall {
  /** Name of the log, such as `session.1.jsonl`. */
  readonly log: string
  readonly call: ToolCallRecord
}

/** What a fact says, what the run gives instead, and the second half of a message about it. */
export interface Breach {
  readonly expected: unknown
  readonly actual: unknown
  /** What was expected, what was found, and where. */
  readonly told: string
}

/** A fact that a run breaks. */
export function brokenFact(at: JsonPath, { expected, actual, told }: Breach): Difference {
  const path = formatPath(at)
  return { surface, index: -1, path, expected, actual, message: `${surface} ${path}: ${told}` }
}

/** Where an event is, in words. */
export function placeInLog(log: string, seq: number): string {
  return `${log} event ${seq}`
}

/** Where the calls are, in brackets after a space; empty where there are none. */
export function placesOf(calls: readonly PlacedCall[]): string {
  if (calls.length === 0) return ''
  const shown = calls.slice(0, placesAtMost).map(({ log, call }) => placeInLog(log, call.seq))
  if (calls.length > placesAtMost) shown.push(`and ${calls.length - placesAtMost} more`)
  return ` (${shown.join(', ')})`
}
