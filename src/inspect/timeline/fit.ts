import { printable } from '../../printable.ts'

const WIDTH = 120

/** One line of at most 120 characters that can be printed. */
export function fit(text: string): string {
  const line = printable(text.slice(0, 2 * WIDTH)).trimEnd()
  return line.length <= WIDTH && text.length <= 2 * WIDTH ? line : `${cut(line, WIDTH - 1)}…`
}

/** A text as JSON, or the beginning of it; a long one in little more than `length` characters. */
export function quoted(text: string, length = 100): string {
  return text.length <= length ? JSON.stringify(text) : `${JSON.stringify(cut(text, length))}…`
}

/** The first characters; one that takes two units is not halved. */
function cut(text: string, length: number): string {
  const end = /[\uD800-\uDBFF]/.test(text.charAt(length - 1)) ? length - 1 : length
  return text.slice(0, end)
}
