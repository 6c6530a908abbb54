import { fail } from './fail.ts'
import type { LogPlace } from './types.ts'

/** Far beyond any real log, and well within what recursive code, `JSON.stringify` first, can walk. */
const MAX_DEPTH = 500

/**
 * Whether `JSON.stringify` writes back what `JSON.parse` has read: a number read as Infinity would become null, and a
 * value nested too deep would exhaust the stack.
 *
 * @param value - an object or an array
 * @param depth - how many values enclose this one
 */
export function isWritable(value: object, depth: number): boolean {
  if (depth === MAX_DEPTH) return false
  if (Array.isArray(value)) {
    for (const child of value as unknown[]) if (!isWritableChild(child, depth)) return false
    return true
  }
  // What JSON.parse makes inherits nothing enumerable.
  for (const key in value) if (!isWritableChild((value as Record<string, unknown>)[key], depth)) return false
  return true
}

function isWritableChild(child: unknown, depth: number): boolean {
  if (typeof child === 'number') return child !== Infinity && child !== -Infinity
  return typeof child !== 'object' || child === null || isWritable(child, depth + 1)
}

/**
 * Throws the error for a value that {@link isWritable} refuses.
 *
 * @param path - of the value, within its row
 */
export function refuseUnwritable(value: object, depth: number, path: string, place: LogPlace): never {
  if (depth === MAX_DEPTH) {
    const [key] = path.split('.', 1)
    throw fail(place, `${key} is nested more than ${MAX_DEPTH} levels deep; expected a shallower value`)
  }
  const children = Object.entries(value) as [string, unknown][]
  const [[key, child]] = children.filter(([, child]) => !isWritableChild(child, depth)) as [[string, unknown]]
  const at = `${path}.${key}`
  if (typeof child === 'object' && child !== null) return refuseUnwritable(child, depth + 1, at, place)
  throw fail(place, `${at} is a number beyond the range of a double; expected one that can be written back`)
}
