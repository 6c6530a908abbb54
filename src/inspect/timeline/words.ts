/** The parts that are there, with a space between. */
export function words(...parts: readonly (string | false | undefined)[]): string {
  return parts.filter(part => part !== false && part !== undefined && part !== '').join(' ')
}

/** How much later; clocks go backwards too. */
export function later(ms: number): string {
  return ms < 0 ? `${ms} ms` : `+${ms} ms`
}
