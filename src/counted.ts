/** A number with what it counts, such as "1 scenario" and "2 scenarios". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
