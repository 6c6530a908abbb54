import { fail } from './fail.ts'
import type { LogPlace } from './types.ts'

/** Far beyond any real log, and well within what recursive code, `JSON.stringify` first, can walk. */
const MAX_DEPTH = 500

/**
 * What a number has in its text that overflows a double, as programs write it; strings may have it too. One regular
 * expression without alternatives: it is tried on every line, and V8 skips through the text for it.
 */
const MAY_OVERFLOW = /\d[eE]\+?\d{3}/

/** Whether the line is worth a walk; a cheap guess that errs on the side of the walk. */
export function mayBeUnwritable(line: string): boolean {
  return MAY_OVERFLOW.test(line) || hasMany(line, '[') || hasMany(line, '{')
}

/** Half the depth each would do: the levels of a deep value may be shared by arrays and objects. */
function hasMany(line: string, bracket: string): boolean {
  let count = 0
  for (let at = line.indexOf(bracket); at >= 0; at = line.indexOf(bracket, at + 1)) {
    if (++count > MAX_DEPTH / 2) return true
  }
  return false
}

/**
 * Refuses what `JSON.parse` reads and `JSON.stringify` does not write back: a number read as Infinity would become null,
 * and a value nested too deep would exhaust the stack. Goes without recursion itself.
 */
export function refuseUnwritable(value: object, place: LogPlace): void {
  const open = [{ path: '', value, depth: 1 }]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.depth > MAX_DEPTH) {
      const [key] = node.path.split('.', 1)
      throw fail(place, `${key} is nested more than ${MAX_DEPTH} levels deep; expected a shallower value`)
    }
    for (const [key, child] of Object.entries(node.value) as [string, unknown][]) {
      const path = node.path === '' ? key : `${node.path}.${key}`
      if (typeof child === 'object' && child !== null)
        open.push({ path, value: child, depth: node.depth + 1 })
      else if (child === Infinity || child === -Infinity) {
        throw fail(
          place,
          `${path} is a number beyond the range of a double; expected one that can be written back`,
        )
      }
    }
  }
}
