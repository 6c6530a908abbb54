/** A source of numbers that gives the same ones in every process. */
export interface Random {
  /** From `min` up to and including `max`. */
  integer(min: number, max: number): number
  pick<T>(values: readonly T[]): T
  /** A version 4 UUID. */
  uuid(): string
}

/** Mulberry32: plenty for the looks of a log. */
export function randomFrom(seed: number): Random {
  let state = seed
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const integer = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1))
  const hex = (length: number): string => Array.from({ length }, () => integer(0, 15).toString(16)).join('')
  return {
    integer,
    pick: values => values[integer(0, values.length - 1)] as never,
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
  }
}
