import { escapePattern } from './path-pattern.ts'
import type { TextRule } from './text-rule.ts'
import { sessionIdToken } from './tokens.ts'

const hex = '[0-9A-Fa-f]'
/** The source of a pattern that matches a UUID, whatever stands around it. */
export const uuidPattern = `${hex}{8}-${hex}{4}-${hex}{4}-${hex}{4}-${hex}{12}`
const uuidLength = 36
const HYPHEN = 45
const onlyUuid = new RegExp(`^${uuidPattern}$`)
// An underscore joins a prefix to an id, so it ends one here.
const leftEdge = '(?<![A-Za-z0-9])'
const rightEdge = '(?![A-Za-z0-9])'
const uuidAlone = new RegExp(leftEdge + uuidPattern + rightEdge, 'y')
const tokenKeyword = String.raw`\{\{(?:cwd|home|tmp|sessions|project|sessionId|system|tools|spillLocator)\b`

/**
 * Compiles the rule that puts `{{sessionId}}` for the known ids and for any UUID, the longest first. An id counts only
 * where no letter or digit goes on; the words inside tokens are left alone.
 */
export function sessionIdRule(sessionIds: readonly string[]): TextRule {
  const { known, pattern } = idPattern(sessionIds)
  return text => {
    for (const id of known) {
      if (text.includes(id)) {
        return text.replace(pattern, match => (match.startsWith('{{') ? match : sessionIdToken))
      }
    }
    return replaceUuids(text)
  }
}

/**
 * Finds the ids that {@link sessionIdRule} replaces, in order. A token that stands in their place counts as one: it comes as
 * `{{sessionId}}`.
 */
export function idFinder(sessionIds: readonly string[]): (text: string) => string[] {
  const { known, pattern } = idPattern(sessionIds)
  const shortest = Math.min(sessionIdToken.length, ...known.map(id => id.length))
  return text =>
    text.length < shortest
      ? []
      : Array.from(text.matchAll(pattern), ([match]) =>
          match === tokenStart ? sessionIdToken : match,
        ).filter(match => !match.startsWith('{{') || match === sessionIdToken)
}

const tokenStart = '{{sessionId'

/** What matches an id, or the beginning of a token, in whose words no id is looked for. */
function idPattern(sessionIds: readonly string[]): {
  readonly known: readonly string[]
  readonly pattern: RegExp
} {
  const known = [...new Set(sessionIds)]
    .filter(id => id !== '' && !onlyUuid.test(id) && !/[{}]/.test(id))
    .sort((a, b) => b.length - a.length)
  const alternatives = [
    tokenKeyword,
    ...known.filter(id => id.length >= uuidLength).map(knownId),
    leftEdge + uuidPattern + rightEdge,
    ...known.filter(id => id.length < uuidLength).map(knownId),
  ]
  return { known, pattern: new RegExp(alternatives.join('|'), 'g') }
}

/**
 * What the pattern does where no known id is about. It is tried only where hyphens stand as in a UUID: a search for
 * hyphens runs through a text much faster.
 */
function replaceUuids(text: string): string {
  if (text.length < uuidLength) return text
  let result = ''
  let done = 0
  for (let at = text.indexOf('-', 8); at !== -1; at = text.indexOf('-', Math.max(at + 1, done))) {
    const start = at - 8
    if (start < done || !hasHyphens(text, at)) continue
    uuidAlone.lastIndex = start
    if (!uuidAlone.test(text)) continue
    result += text.slice(done, start) + sessionIdToken
    done = start + uuidLength
  }
  return done === 0 ? text : result + text.slice(done)
}

/** Whether the first of a UUID's hyphens may stand there. */
function hasHyphens(text: string, at: number): boolean {
  return (
    text.charCodeAt(at + 5) === HYPHEN &&
    text.charCodeAt(at + 10) === HYPHEN &&
    text.charCodeAt(at + 15) === HYPHEN
  )
}

/** Whether the text is a UUID of zeros only, which stands for any one id. */
export function isZeroUuid(text: string): boolean {
  return onlyUuid.test(text) && /^[0-]+$/.test(text)
}

function knownId(id: string): string {
  const left = /^[A-Za-z0-9]/.test(id) ? leftEdge : ''
  const right = /[A-Za-z0-9]$/.test(id) ? rightEdge : ''
  return left + escapePattern(id) + right
}
