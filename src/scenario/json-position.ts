import type { JsonPath } from './json-scan.ts'
import { scanJson } from './json-scan.ts'

/** A place in a text, as editors count: both from 1, the column in UTF-16 code units. */
export interface TextPosition {
  readonly line: number
  readonly column: number
}

/**
 * Where the value at `path` starts in a JSON text. Where there is no such value (a missing key), it is the start of the
 * deepest value on the way to it; in a text that breaks off, of the deepest one before the flaw.
 */
export function jsonPosition(text: string, path: JsonPath): TextPosition {
  let start = 0
  scanJson(text, (current, offset) => {
    if (current.length <= path.length && current.every((part, depth) => part === path[depth])) start = offset
  })
  return positionAt(text, start)
}

/** The line and column of an offset. A line ends with LF, CRLF or CR. */
export function positionAt(text: string, offset: number): TextPosition {
  let line = 1
  let lineStart = 0
  for (const { 0: lineBreak, index } of text.matchAll(/\r\n|\n|\r/g)) {
    if (index + lineBreak.length > offset) break
    line++
    lineStart = index + lineBreak.length
  }
  return { line, column: offset - lineStart + 1 }
}
