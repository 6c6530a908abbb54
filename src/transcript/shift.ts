import { equalValues } from './value-difference.ts'

/** How one sequence goes on where it differs from another: members were left out, put in, or two have changed places. */
export type Shift =
  { readonly kind: 'missing' | 'extra'; readonly members: number } | { readonly kind: 'swapped' }

/** How far is looked for the place where both go on alike. */
const farthest = 8
/** Of so many that are alike, more would say no more. */
const enough = 200

/**
 * Why two sequences that are equal up to `index` differ there; undefined where the member itself has changed. Members may
 * come again, so that several reasons are possible: it is the one after which both go on alike for longest.
 *
 * @param alike - whether two members are equal but for what their place gives them, such as a number
 */
export function findShift<T>(
  expected: readonly T[],
  actual: readonly T[],
  index: number,
  alike: (a: T, b: T) => boolean,
): Shift | undefined {
  const meets = (at: number, other: number): boolean => {
    const [a, b] = [expected[at], actual[other]]
    return a !== undefined && b !== undefined && alike(a, b)
  }
  /** How many are alike from there on. */
  const alikeFrom = (at: number, other: number): number => {
    let count = 0
    while (count < enough && meets(at + count, other + count)) count += 1
    return count
  }
  if (meets(index, index)) return undefined
  let best: Shift | undefined
  let longest = alikeFrom(index + 1, index + 1)
  const consider = (shift: Shift, length: number): void => {
    if (length > longest) [best, longest] = [shift, length]
  }
  // Two that have changed places are both accounted for.
  const swapped = meets(index, index + 1) && meets(index + 1, index)
  if (swapped) consider({ kind: 'swapped' }, 2 + alikeFrom(index + 2, index + 2))
  for (let members = 1; members <= farthest; members += 1) {
    consider({ kind: 'missing', members }, alikeFrom(index + members, index))
    consider({ kind: 'extra', members }, alikeFrom(index, index + members))
  }
  return best
}

/** Events are alike whatever their seq, and whatever the seqs that they name. */
export function alikeEvents(a: object, b: object): boolean {
  return equalValues({ ...a, ...unnumberedEvent }, { ...b, ...unnumberedEvent })
}

/** Frames are alike whatever their id. */
export function alikeFrames(a: object, b: object): boolean {
  return equalValues({ ...a, id: undefined }, { ...b, id: undefined })
}

const unnumberedEvent = { seq: undefined, sourceEventSeqs: undefined, surfaceOp: undefined }
