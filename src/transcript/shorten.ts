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
  const [was, is] = cutPair(expected, actual, length)
  return [JSON.stringify(was), JSON.stringify(is)]
}

/** Two texts, cut to the same window around the first character in which they differ. */
export function cutPair(
  expected: string,
  actual: string,
  length: number,
): [expected: string, actual: string] {
  const from = firstDifference(expected, actual)
  // A third of the window stays for what both strings share before the difference.
  const start = Math.max(0, from - Math.floor(length / 3))
  return [cut(expected, start, length), cut(actual, start, length)]
}

function cut(text: string, start: number, length: number): string {
  const end = start + length
  return (start > 0 ? ellipsis : '') + text.slice(start, end) + (end < text.length ? ellipsis : '')
}

/** The position of the first character or item in which two sequences differ; the common length where none does. */
export function firstDifference(a: ArrayLike<string>, b: ArrayLike<string>): number {
  let index = 0
  while (index < a.length && a[index] === b[index]) index += 1
  return index
}
