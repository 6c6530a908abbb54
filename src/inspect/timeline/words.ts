/** The parts that are there, with a space between. */
export function words(...parts: readonly (string | false | undefined)[]): string {
  return parts.filter(part => part !== false && part !== undefined && part !== '').join(' ')
}
