import type { CountFact } from '../scenario/index.ts'
import type { Breach } from './broken-fact.ts'

/** What is wrong with a number; undefined where nothing is, or nothing is said of it. */
export function countBreach(expected: CountFact | undefined, actual: number): Breach | undefined {
  if (expected === undefined || holds(expected, actual)) return undefined
  return { expected, actual, told: `expected ${inWords(expected)}, found ${actual}` }
}

function holds(expected: CountFact, actual: number): boolean {
  const { min = 0, max = Infinity } =
    typeof expected === 'number' ? { min: expected, max: expected } : expected
  return min <= actual && actual <= max
}

function inWords(expected: CountFact): string {
  if (typeof expected === 'number') return String(expected)
  const { min, max } = expected
  if (max === undefined) return `at least ${min}`
  return min === undefined ? `at most ${max}` : `${min} to ${max}`
}
