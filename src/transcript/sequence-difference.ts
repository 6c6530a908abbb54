import type { Change, Difference, DifferenceContext } from './difference.ts'
import { alikeEvents, alikeFrames, findShift, type Shift } from './shift.ts'
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

const alike = { events: alikeEvents, frames: alikeFrames }

/** The first member in which two sequences differ, or undefined where all are equal. */
export function sequenceDifference(
  names: SequenceNames,
  expected: readonly object[],
  actual: readonly object[],
): Difference | undefined {
  const index = firstUnequal(expected, actual)
  if (index === -1) return undefined
  const shift = findShift(expected, actual, index, alike[names.unit])
  const changes = changesOf(expected[index], actual[index], shift)
  const [first] = changes
  return {
    surface: names.surface,
    index,
    ...first,
    message: `${names.surface} ${names.unit.slice(0, -1)} ${index + names.base} ${inWords(names, first, shift)}`,
    changes,
    counts: { unit: names.unit, expected: expected.length, actual: actual.length },
    context: contextOf(names, expected, actual, index, shift),
    whole: wholeOf(expected[index], actual[index], shift),
  }
}

/** A change in words: what was found, what was expected, and where. Without a path, one side has nothing at all. */
export function describe({ path, expected, actual }: Change): string {
  const [was, is] = showPair(expected, actual, valueLength)
  if (path !== '') return `differs at ${path}: expected ${was}, found ${is}`
  return actual === undefined ? `is missing: expected ${was}` : `was not expected: found ${is}`
}

function inWords({ unit }: SequenceNames, change: Change, shift: Shift | undefined): string {
  if (shift === undefined) return describe(change)
  if (shift.kind === 'swapped') {
    const [was, is] = showPair(change.expected, change.actual, valueLength)
    return `and the next have changed places: expected ${was} first, found ${is}`
  }
  const more = shift.members - 1
  if (more === 0) return describe(change)
  const [is, are] = shift.kind === 'missing' ? ['is', 'are'] : ['was', 'were']
  return `${describe(change)}, and so ${more === 1 ? `${is} the one after it` : `${are} the ${more} ${unit} after it`}`
}

function firstUnequal(expected: readonly unknown[], actual: readonly unknown[]): number {
  const length = Math.max(expected.length, actual.length)
  for (let index = 0; index < length; index += 1) {
    if (!equalValues(expected[index], actual[index])) return index
  }
  return -1
}

/** Members of different kinds have nothing in common: their kind says it all. So it is with those that a shift brings together. */
function changesOf(expected: unknown, actual: unknown, shift: Shift | undefined): [Change, ...Change[]] {
  if (shift !== undefined) return [{ path: '', ...wholeOf(expected, actual, shift) }]
  const changes = listChanges(expected, actual, changesAtMost)
  const kind = changes.find(({ path }) => path === 'type' || path === 'method')
  const [first = { path: '', expected, actual }, ...rest] = kind === undefined ? changes : [kind]
  return [first, ...rest]
}

/** What stands against what: of a shift, a missing member against nothing, and nothing against one that was put in. */
function wholeOf(
  expected: unknown,
  actual: unknown,
  shift: Shift | undefined,
): NonNullable<Difference['whole']> {
  if (shift?.kind === 'missing') return { expected, actual: undefined }
  if (shift?.kind === 'extra') return { expected: undefined, actual }
  return { expected, actual }
}

function contextOf(
  names: SequenceNames,
  expected: readonly unknown[],
  actual: readonly unknown[],
  index: number,
  shift: Shift | undefined,
): DifferenceContext {
  const lines = (members: readonly unknown[], from: number, to: number): string[] =>
    members.slice(from, to).map((member, at) => `${from + at + names.base} ${showValue(member, lineLength)}`)
  const [expectedLine] = shift?.kind === 'extra' ? [] : lines(expected, index, index + 1)
  const [actualLine] = shift?.kind === 'missing' ? [] : lines(actual, index, index + 1)
  const after = (members: readonly unknown[], from: number): string[] =>
    lines(members, from, from + neighbours)
  // Both go on alike where a shift ends, under other numbers: the run's are shown for both.
  const goesOn = after(actual, shift?.kind === 'extra' ? index + shift.members : index)
  return {
    before: lines(expected, Math.max(0, index - neighbours), index),
    ...(expectedLine !== undefined && { expected: expectedLine }),
    ...(actualLine !== undefined && { actual: actualLine }),
    ...(shift === undefined || shift.kind === 'swapped'
      ? { afterExpected: after(expected, index + 1), afterActual: after(actual, index + 1) }
      : { afterExpected: goesOn, afterActual: goesOn }),
  }
}
