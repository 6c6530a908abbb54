import { wrong } from './fail.ts'
import { isCount } from './integers.ts'
import { isRawObject } from './json-line.ts'
import type { JsonValue, LogPlace } from './types.ts'

const SURFACE_TYPES: ReadonlySet<string> = new Set(['user/message', 'assistant/message', 'tool/result'])

/**
 * The surface is what the model sees: the three message events say where on it they go, nothing else may.
 *
 * @throws SnapshotError when `surfaceOp` is missing, misplaced or of another shape
 */
export function checkSurfaceOp(type: string, surfaceOp: unknown, place: LogPlace): void {
  if (!SURFACE_TYPES.has(type)) {
    if (surfaceOp === undefined) return
    const expected = `none: only ${[...SURFACE_TYPES].join(', ')} carry one, and this is a ${JSON.stringify(type)}`
    throw wrong(place, 'surfaceOp', surfaceOp, expected)
  }
  if (!isSurfaceOp(surfaceOp)) {
    throw wrong(
      place,
      `the surfaceOp of a ${JSON.stringify(type)}`,
      surfaceOp,
      '"append" or {"op":"replace","start":n,"end":n} with safe integers >= 0',
    )
  }
}

function isSurfaceOp(value: unknown): value is JsonValue {
  if (value === 'append') return true
  if (!isRawObject(value) || Object.keys(value).length !== 3) return false
  return value.op === 'replace' && isCount(value.start) && isCount(value.end)
}
