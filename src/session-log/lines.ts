/** One line that holds something. */
export interface Line {
  readonly text: string
  /** Counted from 1, blank lines included. */
  readonly number: number
}

const CR = 13
/** JSON's own white space, without the line feed that ends a line. */
const BLANK = /^[ \t\r]*$/

/** The lines that are not blank, without their CR. */
export function* linesOf(text: string): Generator<Line, void> {
  let number = 0
  for (const raw of text.split('\n')) {
    number++
    const line = withoutTrailingCr(raw)
    if (!BLANK.test(line)) yield { text: line, number }
  }
}

/** More than one CR goes too: a kept one would be read as part of the line's end the next time. */
function withoutTrailingCr(line: string): string {
  let end = line.length
  while (line.charCodeAt(end - 1) === CR) end--
  return end === line.length ? line : line.slice(0, end)
}
