import { structuredPatch, type StructuredPatchHunk } from 'diff'
import { cutPair, firstDifference, shorten } from '../shorten.ts'

const neighbours = 3
const linesAtMost = 30
// Both leave room for the sign, the ellipses and the count, so that no line has more than 200 characters.
const pairLength = 197
const lineLength = 170
/** The time for a diff grows with the square of this; texts further apart have little in common to show. */
const editsAtMost = 500

/**
 * A unified diff of two texts, without file names: lines with a space, `-` or `+` in front, `@@` above each hunk. Long
 * lines are cut, around their difference where they stand for each other; after 30 lines one says how many more there are.
 *
 * @param expected - undefined where there is none: that is no line, while an empty text is an empty one
 */
export function textDiff(expected: string | undefined, actual: string | undefined): string[] {
  const lines = hunksOf(ended(expected), ended(actual)).flatMap(hunk => [
    hunkTitle(hunk),
    ...shownLines(hunk.lines),
  ])
  const more = lines.length - linesAtMost
  return more <= 0
    ? lines
    : [...lines.slice(0, linesAtMost), `… and ${more} more ${more === 1 ? 'line' : 'lines'}`]
}

/** With its last line ended, so that a LF at the end of a text is an empty line in the diff. */
function ended(text: string | undefined): string {
  return text === undefined ? '' : `${text}\n`
}

function hunksOf(expected: string, actual: string): readonly StructuredPatchHunk[] {
  const options = { context: neighbours, maxEditLength: editsAtMost }
  const patch = structuredPatch('', '', expected, actual, undefined, undefined, options)
  return patch?.hunks ?? [restReplaced(expected.split('\n').slice(0, -1), actual.split('\n').slice(0, -1))]
}

/** One hunk that takes away all from the first difference on and puts the other text's rest there. */
function restReplaced(was: readonly string[], is: readonly string[]): StructuredPatchHunk {
  const from = firstDifference(was, is)
  const start = Math.max(0, from - neighbours)
  return {
    oldStart: start + 1,
    oldLines: was.length - start,
    newStart: start + 1,
    newLines: is.length - start,
    lines: [
      ...was.slice(start, from).map(line => ` ${line}`),
      ...was.slice(from).map(line => `-${line}`),
      ...is.slice(from).map(line => `+${line}`),
    ],
  }
}

function hunkTitle({ oldStart, oldLines, newStart, newLines }: StructuredPatchHunk): string {
  // Where a side has no lines, the format counts from the line before.
  const range = (start: number, count: number): string => `${count === 0 ? start - 1 : start},${count}`
  return `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`
}

/** Cuts long lines; those taken away and those put in their place are cut in pairs, in order. */
function shownLines(lines: readonly string[]): string[] {
  const runs: { readonly sign: string; readonly texts: string[] }[] = []
  for (const line of lines) {
    const sign = line.slice(0, 1)
    const text = visible(line.slice(1))
    const run = runs.at(-1)
    if (run?.sign === sign) run.texts.push(text)
    else runs.push({ sign, texts: [text] })
  }
  return runs.flatMap(({ sign, texts }, at) => {
    const partners = sign === '-' ? runs[at + 1] : runs[at - 1]
    const paired = sign !== ' ' && partners !== undefined && partners.sign !== ' '
    return texts.map((text, index) => sign + cut(text, paired ? partners.texts[index] : undefined))
  })
}

function cut(text: string, partner: string | undefined): string {
  if (partner === undefined) return shorten(text, lineLength)
  return Math.max(text.length, partner.length) > pairLength ? cutPair(text, partner, pairLength)[0] : text
}

/** With control characters, a CR for one, as JSON escapes them; tabs stay. */
function visible(text: string): string {
  return text.replace(
    /(?!\t)\p{Cc}/gu,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
