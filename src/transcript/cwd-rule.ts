import { delimiters, folderPattern, lastSegment, rightBoundary, searchableFolders } from './path-pattern.ts'
import type { TextRule } from './text-rule.ts'
import { cwdToken } from './tokens.ts'

/**
 * Compiles the rule that puts `{{cwd}}` for a run's working directory, in all its spellings, and `/` for the backslashes
 * of the paths below it. A `{{cwd}}` that is there already counts as a spelling: the paths below it are alike then,
 * whoever put it in.
 */
export function cwdRule(cwds: readonly string[]): TextRule {
  const folders = [...searchableFolders(cwds), cwdToken]
  const needles = folders.map(lastSegment)
  const pattern = new RegExp(
    `(?:${folders.map(folderPattern).join('|')})${rightBoundary}([/\\\\][^${delimiters}]*)?`,
    'g',
  )
  return text =>
    needles.some(needle => text.includes(needle))
      ? text.replace(pattern, (match: string, below: string | undefined, offset: number) =>
          below === undefined
            ? cwdToken
            : cwdToken + forwardSlashes(below, text[offset + match.length] === '"'),
        )
      : text
}

/**
 * A pair of backslashes is one separator, as JSON text spells it. The last one before a double quote belongs to the
 * quote: it is the escape in `{"command":"cat \"/run/cwd\""}`.
 */
function forwardSlashes(path: string, beforeQuote: boolean): string {
  if (!path.includes('\\')) return path
  return path.replace(/\\{1,2}/g, (separator, offset: number) =>
    beforeQuote && separator.length === 1 && offset === path.length - 1 ? separator : '/',
  )
}
