import type { Change, Difference, DifferenceContext } from './difference.ts'
import { showPair, showValue } from './shorten.ts'
import { equalValues, listChanges } from './value-difference.ts'

/** What a sequence of frames or events is called, and how its members are numbered. */
export interface SequenceNames {
  readonly surface: string
  readonly unit: 'frames' | 'events'
  /** The number that a reader finds the first member under. */
  readonly base: 0 | 1
}

/** How many places of one frame, event or header a difference lists. */
export const changesAtMost = 5
const neighbours = 3
const lineLength = 140
const valueLength = 80

/** The first member in which two sequences differ, or undefined where all are equal. */
export function sequenceDifference(
  names: SequenceNames,
  expected: readonly unknown[],
  actual: readonly unknown[],
): Difference | undefined {
  const index = firstUnequal(expected, actual)
  if (index === -1) return undefined
  const changes = changesOf(expected[index], actual[index])
  const [first] = changes
  return {
    surface: names.surface,
    index,
    ...first,
    message: `${names.surface} ${names.unit.slice(0, -1)} ${index + names.base} ${describe(first)}`,
    changes,
    counts: { unit: names.unit, expected: expected.length, actual: actual.length },
    context: contextOf(names, expected, actual, index),
  }
}

/** A change in words: what was found, what was expected, and where. Without a path, one side has nothing at all. */
export function describe({ path, expected, actual }: Change): string {
  const [was, is] = showPair(expected, actual, valueLength)
  if (path !== '') return `differs at ${path}: expected ${was}, found ${is}`
  return actual === undefined ? `is missing: expected ${was}` : `was not expected: found ${is}`
}

function firstUnequal(expected: readonly unknown[], actual: readonly unknown[]): number {
  const length = Math.max(expected.length, actual.length)
  for (let index = 0; index < length; index += 1) {
    if (!equalValues(expected[index], actual[index])) return index
  }
  return -1
}

/** Members of different kinds have nothing in common: their kind says it all. */
function changesOf(expected: unknown, actual: unknown): [Change, ...Change[]] {
  const changes = listChanges(expected, actual, changesAtMost)
  const kind = changes.find(({ path }) => path === 'type' || path === 'method')
  const [first = { path: '', expected, actual }, ...rest] = kind === undefined ? changes : [kind]
  return [first, ...rest]
}

function contextOf(
  names: SequenceNames,
  expected: readonly unknown[],
  actual: readonly unknown[],
  index: number,
): DifferenceContext {
  const lines = (members: readonly unknown[], from: number, to: number): string[] =>
    members.slice(from, to).map((member, at) => `${from + at + names.base} ${showValue(member, lineLength)}`)
  const [expectedLine] = lines(expected, index, index + 1)
  const [actualLine] = lines(actual, index, index + 1)
  return {
    before: lines(expected, Math.max(0, index - neighbours), index),
    ...(expectedLine !== undefined && { expected: expectedLine }),
    ...(actualLine !== undefined && { actual: actualLine }),
    afterExpected: lines(expected, index + 1, index + 1 + neighbours),
    afterActual: lines(actual, index + 1, index + 1 + neighbours),
  }
}
