import { equalValues } from './value-difference.ts'

/** How one sequence goes on where it differs from another: members were left out, put in, or two have changed places. */
export type Shift =
  | { readonly kind: 'missing' | 'extra'; readonly members: number }
  | { readonly kind: 'swapped' }

/** How far is looked for the place where both go on alike. */
const farthest = 8

/**
 * Why two sequences that are equal up to `index` differ there; undefined where the member itself has changed.
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
  if (meets(index, index)) return undefined
  if (meets(index, index + 1) && meets(index + 1, index)) return { kind: 'swapped' }
  for (let members = 1; members <= farthest; members += 1) {
    if (meets(index + members, index)) return { kind: 'missing', members }
    if (meets(index, index + members)) return { kind: 'extra', members }
  }
  return undefined
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
