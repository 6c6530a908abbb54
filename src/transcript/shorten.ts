const ellipsis = '…'

/** The text, or its beginning and how much more there is. */
export function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}${ellipsis} (${text.length} characters)`
}

/** A value as compact JSON, shortened; an absent one in words. */
export function showValue(value: unknown, length: number): string {
  return value === undefined ? 'nothing' : shorten(JSON.stringify(value), length)
}

/**
 * Two values as compact JSON. Two strings are cut to the same window around the first character in which they differ.
 */
export function showPair(
  expected: unknown,
  actual: unknown,
  length: number,
): [expected: string, actual: string] {
  if (typeof expected !== 'string' || typeof actual !== 'string') {
    return [showValue(expected, length), showValue(actual, length)]
  }
  const from = firstDifference(expected, actual)
  // A third of the window stays for what both strings share before the difference.
  const start = Math.max(0, from - Math.floor(length / 3))
  return [showWindow(expected, start, length), showWindow(actual, start, length)]
}

function showWindow(text: string, start: number, length: number): string {
  const end = start + length
  return JSON.stringify(
    (start > 0 ? ellipsis : '') + text.slice(start, end) + (end < text.length ? ellipsis : ''),
  )
}

function firstDifference(a: string, b: string): number {
  let index = 0
  while (index < a.length && a[index] === b[index]) index += 1
  return index
}
