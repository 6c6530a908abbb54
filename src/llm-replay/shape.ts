import { describe, under, type Problem } from './problem.ts'

/**
 * Checks one value. Written by hand, not with zod, because a log holds 100,000 chunks.
 *
 * @param depth - how many values enclose this one
 */
export type Check = (value: unknown, depth: number) => Problem | undefined

/** A problem of the value itself. */
export function problemHere(what: string, allowed: string): Problem {
  return { path: [], message: `${what}; allowed: ${allowed}` }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A check from a predicate and the words for what it accepts. */
export function that(accepts: (value: unknown) => boolean, allowed: string): Check {
  return value => (accepts(value) ? undefined : problemHere(`found ${describe(value)}`, allowed))
}

export const anything: Check = () => undefined
export const anyObject = that(isObject, 'an object')
export const aString = that(value => typeof value === 'string', 'a string')
export const aBoolean = that(value => typeof value === 'boolean', 'true or false')
export const aNumber = that(value => typeof value === 'number', 'a number')
export const aFilledString = that(value => typeof value === 'string' && value !== '', 'a non-empty string')
export const aCount = that(
  value => typeof value === 'number' && Number.isFinite(value) && value >= 0,
  'a number, 0 or more',
)

/** An object with exactly these keys. */
export function exactly(
  required: Readonly<Record<string, Check>>,
  optional: Readonly<Record<string, Check>> = {},
): Check {
  const checks = new Map([...Object.entries(required), ...Object.entries(optional)])
  const needed = Object.keys(required)
  const allowed = [...needed, ...Object.keys(optional).map(key => `${key}?`)].join(', ')
  return (value, depth) => {
    if (!isObject(value)) return problemHere(`found ${describe(value)}`, `an object with ${allowed}`)
    for (const key in value) {
      const check = checks.get(key)
      if (check === undefined) return problemHere(`unknown key ${describe(key)}`, allowed)
      const problem = check(value[key], depth + 1)
      if (problem !== undefined) return under(key, problem)
    }
    for (const key of needed) {
      if (!Object.hasOwn(value, key)) return problemHere(`the key ${describe(key)} is missing`, allowed)
    }
    return undefined
  }
}

/** An object whose `tag` says which of the variants it is. */
export function variantOf(
  tag: string,
  variants: Readonly<Record<string, Check>>,
  unknownVariant?: Check,
): Check {
  const checks = new Map(Object.entries(variants))
  const allowed = [...checks.keys()].map(name => JSON.stringify(name)).join(', ')
  return (value, depth) => {
    if (!isObject(value))
      return problemHere(`found ${describe(value)}`, `an object with "${tag}" (${allowed})`)
    const name = value[tag]
    const check = typeof name === 'string' ? (checks.get(name) ?? unknownVariant) : undefined
    if (check !== undefined) return check(value, depth)
    if (Object.hasOwn(value, tag)) return under(tag, problemHere(`found ${describe(name)}`, allowed))
    return problemHere(`the key "${tag}" is missing`, `"${tag}" as one of ${allowed}`)
  }
}

/** An array, each element of which passes the check. */
export function arrayOf(check: Check): Check {
  return (value, depth) => {
    if (!Array.isArray(value)) return problemHere(`found ${describe(value)}`, 'an array')
    for (const [index, element] of value.entries()) {
      const problem = check(element, depth + 1)
      if (problem !== undefined) return under(index, problem)
    }
    return undefined
  }
}
