/**
 * A safe integer, negative ones included. Minus zero is none: no writer emits it, and it would read back as 0.
 */
export function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value) && !Object.is(value, -0)
}

/** A safe integer from 0 up. */
export function isCount(value: unknown): value is number {
  return isInteger(value) && value >= 0
}
