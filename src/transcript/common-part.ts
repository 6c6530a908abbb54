/**
 * The longest text that all of the texts hold; empty where they have nothing in common. For a few short texts: it tries
 * the parts of the first.
 */
export function commonPart(texts: readonly string[]): string {
  const [first = '', ...others] = texts
  for (let length = first.length; length > 0; length -= 1) {
    for (let start = 0; start + length <= first.length; start += 1) {
      const part = first.slice(start, start + length)
      if (others.every(text => text.includes(part))) return part
    }
  }
  return ''
}
