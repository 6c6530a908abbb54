const [TAB, CR, SPACE] = [9, 13, 32]

/**
 * Goes through the lines of a text that are not blank. Written out by hand, not as a generator: a log has as many lines
 * as events.
 */
export class LineReader {
  /** The line at hand, without its line end. */
  text = ''
  /** Where it stands, counted from 1, blank lines included. */
  number = 0
  readonly #whole: string
  #next = 0

  constructor(whole: string) {
    this.#whole = whole
  }

  /** @returns whether there is one more line; it is at hand then */
  advance(): boolean {
    const whole = this.#whole
    while (this.#next <= whole.length) {
      const start = this.#next
      const at = whole.indexOf('\n', start)
      const lineEnd = at === -1 ? whole.length : at
      this.#next = lineEnd + 1
      this.number++
      const end = withoutCr(whole, start, lineEnd)
      if (isBlank(whole, start, end)) continue
      this.text = whole.slice(start, end)
      return true
    }
    return false
  }
}

/** More than one CR goes too: a kept one would be read as part of the line's end the next time. */
function withoutCr(text: string, start: number, lineEnd: number): number {
  let end = lineEnd
  while (end > start && text.charCodeAt(end - 1) === CR) end--
  return end
}

/** Holds nothing but JSON's own white space. */
function isBlank(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code !== SPACE && code !== TAB && code !== CR) return false
  }
  return true
}
