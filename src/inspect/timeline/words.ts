/** The parts that are there, with a space between. */
export function words(...parts: readonly (string | false | undefined)[]): string {
  return parts.filter(part => part !== false && part !== undefined && part !== '').join(' ')
}

/** So many of something. */
export function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}

/** How much later; clocks go backwards too. */
export function later(ms: number): string {
  return ms < 0 ? `${ms} ms` : `+${ms} ms`
}
