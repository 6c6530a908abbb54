import type { Difference } from '../difference.ts'
import { textDiff } from './text-diff.ts'

/** One section of a request header that differs: its prompt, or one of its tools as text. */
export interface Section {
  readonly surface: string
  /** Of the header's event. */
  readonly seq: number
  /** In the event. */
  readonly path: string
  /** The section and how it differs, in words. */
  readonly what: string
  /** Undefined where there is none. */
  readonly expected: string | undefined
  readonly actual: string | undefined
}

export function sectionDifference({ surface, seq, path, what, expected, actual }: Section): Difference {
  return {
    surface,
    index: seq,
    path,
    expected,
    actual,
    message: `${surface} event ${seq}: ${what}`,
    textDiff: textDiff(expected, actual),
  }
}

/** Where a sidecar holds what is expected of a header, or that it holds nothing for it. */
export function sidecarPlace(file: string, header: number, length: number): string {
  if (header >= length) return `${file} has no change ${header}`
  return header === 0 ? file : `${file}, change ${header}`
}
