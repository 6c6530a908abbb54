/** Prints a bench's last line, and lets its process fail where the ratio is above the limit. */
export function report(name: string, ratio: number, limit: number): void {
  if (ratio > limit) process.exitCode = 1
  console.log(`${name} ratio=${ratio.toFixed(2)} limit=${limit}`)
}

/** The same for a ratio that must not be below a limit. */
export function reportAtLeast(name: string, ratio: number, least: number): void {
  if (ratio < least) process.exitCode = 1
  console.log(`${name} ratio=${ratio.toFixed(2)} at-least=${least}`)
}
