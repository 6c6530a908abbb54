/** The characters that end a path, as the inside of a character class. */
export const delimiters = String.raw`\s<>'"` + '`' + String.raw`()\[\]{},;:!?=`

// Two braces together end or begin a token: a token that a rule has put in must not make a boundary that the text did
// not have, or a second pass would find more than the first.
const leftDelimiter = `(?:[${delimiters.replace('}', '')}]|(?<!\\})\\})`
const rightDelimiter = `(?:[${delimiters.replace('{', '')}]|\\{(?!\\{))`

/** Matches where a folder's name may end: the end, a separator, a delimiter, or the full stop of a sentence. */
export const rightBoundary = String.raw`(?=$|[/\\]|${rightDelimiter}|\.(?:$|${rightDelimiter}))`

const drive = /^[A-Za-z]:[/\\]/
const share = '\\\\'

/**
 * The folders that can be looked for in a text, longest first, without trailing separators. A relative path is a word
 * like any other, and a root is a part of every path: neither says that a run is meant. What holds a token is no path.
 */
export function searchableFolders(folders: readonly string[]): string[] {
  const trimmed = folders.map(folder => folder.replace(/[/\\]+$/, ''))
  const absolute = trimmed.filter(
    folder => (folder.startsWith('/') || isWindowsFolder(folder)) && !folder.includes('{{'),
  )
  return [...new Set(absolute)].sort((a, b) => b.length - a.length)
}

/** Whether a folder's separators can be spelled in several ways. */
export function isWindowsFolder(folder: string): boolean {
  return drive.test(folder) || folder.startsWith(share)
}

/** The source of a pattern that matches one folder from its left boundary on; what follows it is not looked at. */
export function folderPattern(folder: string): string {
  const windows = isWindowsFolder(folder)
  // In the URI `file:///C:/x` the third slash is not part of the path.
  const scheme = windows ? 'file:///?' : 'file://'
  return `(?<=^|${leftDelimiter}|${scheme})${windows ? '' : '(?:/private)?'}${bodyOf(folder, escapePattern)}`
}

/** The source of a pattern for a folder's path, whatever its separators are; `spell` gives that for a part of it. */
function bodyOf(folder: string, spell: (part: string) => string): string {
  // A path inside JSON text has each of its backslashes twice.
  return isWindowsFolder(folder)
    ? folder
        .split(/[/\\]+/)
        .map(spell)
        .join('[/\\\\]+')
    : spell(folder)
}

/** What no encoder of URIs changes. */
const plain = /^[A-Za-z0-9/._-]*$/

/** Whether file URIs have no spelling of a folder but that of its path. */
export function isPlainInUris(folder: string): boolean {
  return plain.test(isWindowsFolder(folder) ? folder.slice(2).replaceAll('\\', '/') : folder)
}

/**
 * The source of a pattern that matches one folder in a file URI, after the scheme. Encoders differ in what they encode, and
 * in how they write a byte: a character that some encode may stand there in either spelling.
 */
export function fileUriPattern(folder: string): string {
  const windows = isWindowsFolder(folder)
  return `(?<=file:(?:${windows ? '///?' : '//'})?)${windows ? '' : '(?:/private)?'}${bodyOf(folder, inUri)}`
}

function inUri(path: string): string {
  return Array.from(path.toWellFormed(), character =>
    plain.test(character)
      ? escapePattern(character)
      : `(?:${escapePattern(character)}|${encoded(character)})`,
  ).join('')
}

/** The source of a pattern for one character, percent-encoded; a byte may have small letters. */
function encoded(character: string): string {
  const bytes = encodeURIComponent(character)
  // Of what is not plain, it leaves some ASCII characters as they are.
  const all = bytes === character ? `%${character.charCodeAt(0).toString(16).toUpperCase()}` : bytes
  return all.replace(/[A-F]/g, digit => `[${digit}${digit.toLowerCase()}]`)
}

const [SLASH, BACKSLASH] = [47, 92]
/** Up to this length a loop is faster than a call of a search. */
const SHORT = 32

/** Whether a text may hold a path: without one, it names no absolute folder and nothing below a token. */
export function hasSeparator(text: string): boolean {
  if (text.length > SHORT) return text.includes('/') || text.includes('\\')
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === SLASH || code === BACKSLASH) return true
  }
  return false
}

/** The last segment of a folder: it stands in a text however the separators are spelled. */
export function lastSegment(folder: string): string {
  return folder.slice(Math.max(folder.lastIndexOf('/'), folder.lastIndexOf('\\')) + 1)
}

/** The source of a pattern that matches the text itself. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
