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
    const places: number[] = []
    let found = false
    for (const needle of needles) {
      const place = text.indexOf(needle)
      places.push(place)
      found ||= place !== -1
    }
    return found ? new NeedleSearch(pattern, text, needles, places) : undefined
  }
}

class NeedleSearch implements Search {
  readonly #pattern: RegExp
  readonly #text: string
  readonly #needles: readonly string[]
  /** The next place of each needle, -1 where there is none: no part of the text is searched for it twice. */
  readonly #places: number[]

  constructor(pattern: RegExp, text: string, needles: readonly string[], places: number[]) {
    this.#pattern = pattern
    this.#text = text
    this.#needles = needles
    this.#places = places
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

  #placeFrom(from: number): number {
    let first = -1
    for (const [k, needle] of this.#needles.entries()) {
      let place = this.#places[k] ?? -1
      if (place === -1) continue
      if (place < from) this.#places[k] = place = this.#text.indexOf(needle, from)
      if (place !== -1 && (first === -1 || place < first)) first = place
    }
    return first
  }
}
