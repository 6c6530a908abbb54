/** The longest text that all of the texts hold, the first of equals; empty where they have nothing in common. */
export function commonPart(texts: readonly string[]): string {
  const [first = '', ...others] = texts
  let longest = ''
  for (let start = 0; start + longest.length < first.length;) {
    const longer = first.slice(start, start + longest.length + 1)
    if (others.every(text => text.includes(longer))) longest = longer
    else start += 1
  }
  return longest
}
