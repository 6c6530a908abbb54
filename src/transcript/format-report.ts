import type { Difference } from './difference.ts'
import { reportBlock } from './report-block.ts'
import type { LineKind, ReportLine } from './report-block.ts'

/** How a report is laid out. @public */
export interface ReportOptions {
  /** ANSI colours; without them the text is plain. */
  readonly color?: boolean
  /** The most lines that the report may have, at least 1; 59 unless told. */
  readonly maxLines?: number
  /** What is said after the last difference, in one line. */
  readonly note?: string
}

const escapes: Readonly<Record<LineKind, string>> = {
  title: '\u001B[1m',
  expected: '\u001B[31m',
  actual: '\u001B[32m',
  context: '\u001B[2m',
}
const reset = '\u001B[0m'

/**
 * Lays out differences for a reader, in the order given: each with up to three frames or events on each side, the places
 * in which it differs, and the counts. `-` is what was expected, `+` what the run gave, `!` both where they look alike.
 * Where room is short, the later ones shrink to their message, and the last line says how many are left out.
 *
 * @returns lines joined by LF, without one at the end; empty where there are no differences
 * @public
 */
export function formatReport(differences: readonly Difference[], options: ReportOptions = {}): string {
  const { color = false, maxLines = 59, note } = options
  if (differences.length === 0) return ''
  // A note has its line as soon as there is one beside the first difference.
  const noted = note !== undefined && maxLines > 1 ? [{ kind: 'context', text: note } as const] : []
  return [...layOut(differences, maxLines - noted.length), ...noted]
    .map(({ kind, text }) => (color ? escapes[kind] + text + reset : text))
    .join('\n')
}

function layOut(differences: readonly Difference[], maxLines: number): ReportLine[] {
  const lines: ReportLine[] = []
  for (const [index, difference] of differences.entries()) {
    const room = maxLines - lines.length
    const others = differences.length - index - 1
    if (index > 0 && room === 1 && others > 0) {
      return [...lines, { kind: 'title', text: `and ${others + 1} more differences` }]
    }
    const block = reportBlock(difference)
    if (index === 0) lines.push(...block.slice(0, Math.max(1, room - Math.min(others, 1))))
    else lines.push(...(block.length + others <= room ? block : block.slice(0, 1)))
    if (lines.length >= maxLines) break
  }
  return lines
}
