/** Prints a bench's last line, and lets its process fail where the ratio is above the limit. */
export function report(name: string, ratio: number, limit: number): void {
  if (ratio > limit) process.exitCode = 1
  console.log(`${name} ratio=${ratio.toFixed(2)} limit=${limit}`)
}
