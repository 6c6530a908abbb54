import { escapePattern, folderPattern, searchableFolders } from './path-pattern.ts'
import type { TextRule } from './text-rule.ts'
import { cwdToken, spillToken } from './tokens.ts'

/** A file name as the spill store encodes it; a full stop at its end is the sentence's. */
export const fileName = '[A-Za-z0-9._~-]*[A-Za-z0-9_~-]'

/**
 * Compiles the rule for spill files, `<root>/session-<12 hex>/<12 hex>-NAME`: the session's hash and the random prefix
 * differ in every run, NAME does not. It runs on text whose working directory is a token already.
 *
 * @param roots - where the run spills to, besides `{{cwd}}/.spill`; below the working directory they begin with its token
 */
export function spillRule(roots: readonly string[]): TextRule {
  const inside = [`${cwdToken}/.spill`, ...roots.filter(root => root.startsWith(`${cwdToken}/`))]
  const patterns = [
    ...inside.map(root => escapePattern(root.replace(/\/+$/, ''))),
    ...searchableFolders(roots).map(folderPattern),
  ]
  const pattern = new RegExp(
    String.raw`(?:${patterns.join('|')})[/\\]+session-[0-9a-f]{12}[/\\]+[0-9a-f]{12}-(${fileName})`,
    'g',
  )
  return text =>
    hasSessionFolder(text, '/') || hasSessionFolder(text, '\\')
      ? text.replace(pattern, (_, name: string) => spillToken(name))
      : text
}

const sessionHash = /[0-9a-f]{12}[/\\]/y

/** Whether the folder of one session, which no spill file's path is without, stands there after that separator. */
function hasSessionFolder(text: string, separator: '/' | '\\'): boolean {
  const folder = `${separator}session-`
  for (let at = text.indexOf(folder); at !== -1; at = text.indexOf(folder, at + 1)) {
    sessionHash.lastIndex = at + folder.length
    if (sessionHash.test(text)) return true
  }
  return false
}
