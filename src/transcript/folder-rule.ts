import { folderPattern, isWindowsFolder, lastSegment } from './path-pattern.ts'
import type { TextRule } from './text-rule.ts'

/** What may stand before a folder that is not on Windows. */
const alias = '/private'

/** What is put for a match, which ends at `end` of the text. */
export type FolderReplacement = (match: RegExpExecArray, text: string, end: number) => string

/**
 * Compiles a rule that replaces folders wherever a text names them. Where a folder can be spelled in one way only, the
 * text is searched for it and the pattern tried there: to try it at every character takes ten times as long.
 *
 * @param folders - as `searchableFolders` gives them, or a token; where several match, the first counts
 * @param after - the source of a pattern for what follows the folder
 */
export function folderRule(
  folders: readonly string[],
  after: string,
  replacement: FolderReplacement,
): TextRule {
  const source = `(?:${folders.map(folderPattern).join('|')})${after}`
  const searchIn = folders.some(isWindowsFolder)
    ? searchByPattern(source, folders)
    : searchByText(source, folders)
  return text => {
    const search = searchIn(text)
    if (search === undefined) return text
    let result = ''
    let done = 0
    for (let match = search.next(0); match !== null; match = search.next(done)) {
      const end = match.index + match[0].length
      result += text.slice(done, match.index) + replacement(match, text, end)
      done = end
    }
    return done === 0 ? text : result + text.slice(done)
  }
}

/** The matches in one text, from the first to the last. */
interface Search {
  /** The first match that begins at `from` or later. */
  next(from: number): RegExpExecArray | null
}

/** Makes the searches of a rule; undefined for a text without a match. */
type SearchIn = (text: string) => Search | undefined

function searchByPattern(source: string, folders: readonly string[]): SearchIn {
  const pattern = new RegExp(source, 'g')
  const needles = folders.map(lastSegment)
  return text => {
    if (!needles.some(needle => text.includes(needle))) return undefined
    return {
      next: from => {
        pattern.lastIndex = from
        return pattern.exec(text)
      },
    }
  }
}

function searchByText(source: string, folders: readonly string[]): SearchIn {
  const pattern = new RegExp(source, 'y')
  // Where a folder is found, the same with the alias before it is found as well.
  const needles = folders.filter(
    folder => !folder.startsWith(alias) || !folders.includes(folder.slice(alias.length)),
  )
  return text => {
    const found: Needle[] = []
    for (const needle of needles) {
      const place = text.indexOf(needle)
      if (place !== -1) found.push({ needle, place })
    }
    return found.length === 0 ? undefined : new NeedleSearch(pattern, text, found)
  }
}

/** A text that is looked for, and its next place, -1 after the last: no part of a text is searched for it twice. */
interface Needle {
  readonly needle: string
  place: number
}

class NeedleSearch implements Search {
  readonly #pattern: RegExp
  readonly #text: string
  readonly #needles: readonly Needle[]

  constructor(pattern: RegExp, text: string, needles: readonly Needle[]) {
    this.#pattern = pattern
    this.#text = text
    this.#needles = needles
  }

  next(from: number): RegExpExecArray | null {
    for (let place = this.#placeFrom(from); place !== -1; place = this.#placeFrom(place + 1)) {
      let start = place
      while (start - alias.length >= from && this.#text.startsWith(alias, start - alias.length))
        start -= alias.length
      for (; start <= place; start += alias.length) {
        this.#pattern.lastIndex = start
        const match = this.#pattern.exec(this.#text)
        if (match !== null) return match
      }
    }
    return null
  }

  /** The next place of any needle, at `from` or later; -1 after the last. */
  #placeFrom(from: number): number {
    let first = -1
    for (const found of this.#needles) {
      if (found.place !== -1 && found.place < from) found.place = this.#text.indexOf(found.needle, from)
      if (found.place !== -1 && (first === -1 || found.place < first)) first = found.place
    }
    return first
  }
}
