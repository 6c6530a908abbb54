import { folderRule } from './folder-rule.ts'
import {
  delimiters,
  fileUriPattern,
  isPlainInUris,
  rightBoundary,
  searchableFolders,
} from './path-pattern.ts'
import type { TextRule } from './text-rule.ts'
import { cwdToken } from './tokens.ts'

/** Matches the path below the working directory, from its separator on. */
const below = `([/\\\\][^${delimiters}]*)?`

/**
 * Compiles the rule that puts `{{cwd}}` for a run's working directory, in all its spellings, and `/` for the backslashes
 * of the paths below it. A `{{cwd}}` that is there already counts as a spelling: the paths below it are alike then,
 * whoever put it in.
 */
export function cwdRule(cwds: readonly string[]): TextRule {
  const folders = searchableFolders(cwds)
  const compile = (spellings: readonly string[]): TextRule =>
    folderRule(spellings, rightBoundary + below, ([, path], text, end) => tokenAnd(path, text[end]))
  const withToken = compile([...folders, cwdToken])
  const withoutToken = compile(folders)
  const plain: TextRule = text => (changesToken(text) ? withToken(text) : withoutToken(text))
  const encoded = encodedRule(folders.filter(folder => !isPlainInUris(folder)))
  return encoded === undefined ? plain : text => plain(encoded(text))
}

/** The rule for file URIs whose path is percent-encoded; a folder that no URI spells otherwise needs none. */
function encodedRule(folders: readonly string[]): TextRule | undefined {
  if (folders.length === 0) return undefined
  const pattern = new RegExp(`(?:${folders.map(fileUriPattern).join('|')})${rightBoundary}${below}`, 'g')
  return text =>
    text.includes('file:')
      ? text.replace(pattern, (match: string, path: string | undefined, at: number) =>
          tokenAnd(path, text[at + match.length]),
        )
      : text
}

function tokenAnd(path: string | undefined, next: string | undefined): string {
  return path === undefined ? cwdToken : cwdToken + forwardSlashes(path, next === '"')
}

/** Whether there may be something to do about a token that is there already: seldom, and quickly seen. */
function changesToken(text: string): boolean {
  return text.includes('\\') || text.includes(`/private${cwdToken}`)
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
