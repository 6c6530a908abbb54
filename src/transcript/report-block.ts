import type { Change, Difference, DifferenceContext } from './difference.ts'
import { showPair } from './shorten.ts'

/** What a line of a report shows; it decides the line's colour. */
export type LineKind = 'title' | 'expected' | 'actual' | 'context'

/** One line of a report. */
export interface ReportLine {
  readonly kind: LineKind
  readonly text: string
}

const valueLength = 100

/** The lines about one difference: its message, its neighbourhood, its changes or the diff of its text, the counts. */
export function reportBlock({
  message,
  changes = [],
  context,
  counts,
  textDiff = [],
}: Difference): ReportLine[] {
  return [
    line('title', message),
    ...textDiff.map(text => line(kindOf(text), `  ${text}`)),
    ...(context === undefined ? [] : contextLines(context)),
    ...changes.filter(({ path }) => path !== '').flatMap(changeLines),
    ...(counts === undefined
      ? []
      : [line('context', `  ${counts.unit}: ${counts.expected} expected, ${counts.actual} found`)]),
  ]
}

function kindOf(diffLine: string): LineKind {
  if (diffLine.startsWith('-')) return 'expected'
  return diffLine.startsWith('+') ? 'actual' : 'context'
}

function contextLines({
  before,
  expected,
  actual,
  afterExpected,
  afterActual,
}: DifferenceContext): ReportLine[] {
  const after = Math.max(afterExpected.length, afterActual.length)
  return [
    ...before.map(text => line('context', `    ${text}`)),
    // What differs may lie beyond the part that is shown.
    ...(expected === actual && expected !== undefined
      ? [line('title', `  ! ${expected}`)]
      : pairLines(expected, actual)),
    ...Array.from({ length: after }, (_, index) =>
      pairLines(afterExpected[index], afterActual[index]),
    ).flat(),
  ]
}

function pairLines(expected: string | undefined, actual: string | undefined): ReportLine[] {
  if (expected !== undefined && expected === actual) return [line('context', `    ${expected}`)]
  return [
    ...(expected === undefined ? [] : [line('expected', `  - ${expected}`)]),
    ...(actual === undefined ? [] : [line('actual', `  + ${actual}`)]),
  ]
}

function changeLines(change: Change): ReportLine[] {
  const [expected, actual] = showPair(change.expected, change.actual, valueLength)
  return [
    line('context', `  at ${change.path}`),
    line('expected', `  - ${expected}`),
    line('actual', `  + ${actual}`),
  ]
}

function line(kind: LineKind, text: string): ReportLine {
  return { kind, text }
}
