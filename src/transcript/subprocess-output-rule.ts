import { delimiters } from './path-pattern.ts'
import { uuidPattern } from './session-id-rule.ts'
import { fileName } from './spill-rule.ts'
import type { TextRule } from './text-rule.ts'
import { cwdToken, sessionIdToken, spillToken } from './tokens.ts'

const marker = 'dsh-subprocess-'
const folderAndFile = new RegExp(String.raw`${marker}[^/\\${delimiters}]+[/\\]+(${fileName})`, 'y')
const delimiter = new RegExp(`[${delimiters}]`)
const anyUuid = new RegExp(uuidPattern, 'g')
const driveBefore = /(?:^|[^A-Za-z0-9])[A-Za-z]:$/

/**
 * The rule for the files that a subprocess runtime keeps its output in:
 * `<tmp>/dsh-subprocess-<random>/dsh-subprocess-<pid>-<count>-<12 hex>-stdout.log`, wherever the temp folder is. The whole
 * path becomes a token with the part of the name that every run shares, here `stdout.log`.
 */
export const subprocessOutputRule: TextRule = text => {
  // A search that begins with the separator is faster: most characters of a text are none.
  if (!text.includes(`/${marker}`) && !text.includes(`\\${marker}`)) return text
  let found = text.indexOf(marker)
  let result = ''
  let done = 0
  while (found !== -1) {
    folderAndFile.lastIndex = found
    const match = /[/\\]/.test(text.charAt(found - 1)) ? folderAndFile.exec(text) : null
    const name = match?.[1]
    if (name !== undefined) {
      result += text.slice(done, pathStart(text, found, done)) + spillToken(sharedName(name))
      done = folderAndFile.lastIndex
    }
    found = text.indexOf(marker, Math.max(done, found + marker.length))
  }
  return result + text.slice(done)
}

/** Where the path that is known to go through `end` begins; looks no further back than `from`. */
function pathStart(text: string, end: number, from: number): number {
  let start = end
  for (;;) {
    const token = [cwdToken, sessionIdToken].find(candidate => text.endsWith(candidate, start))
    const length = token?.length ?? 1
    if (start - length < from || (token === undefined && delimiter.test(text.charAt(start - 1)))) break
    start -= length
  }
  const before = text.slice(Math.max(from, start - 5), start)
  if (before === 'file:' && text.startsWith('//', start)) return start + 2
  return driveBefore.test(before) ? start - 2 : start
}

/** Leaves out the prefix that says nothing and the parts between hyphens that are numbers or hexadecimal. */
function sharedName(name: string): string {
  const shared = name
    .replace(anyUuid, '')
    .replace(/^dsh-subprocess-/, '')
    .split('-')
    .map(part => part.replace(/^(?:[0-9]+|[0-9a-f]{8,})(?=\.|$)/i, ''))
    .filter(part => part !== '')
    .join('-')
    .replaceAll('-.', '.')
  return shared === '' ? 'output' : shared
}
