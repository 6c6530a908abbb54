import type { JsonValue } from '../session-log/types.ts'
import { lastMatch } from '../timed-match.ts'
import { shorten } from '../transcript/shorten.ts'
import { parseEntry, type ReplayEntry } from './entry.ts'
import { placeOf, replayInvalid, type Problem, type ValuePath, type Where } from './problem.ts'
import { mapStrings, stringLeaves } from './strings.ts'
import { parseTemplate, type Placeholder } from './template.ts'

/**
 * Puts in what the request says: every `{{fromRequest:<pattern>}}` in the entry's string values becomes the last match
 * of the pattern (its first group, else the whole match) among the strings of the request's messages, joined by LF.
 * `{{{{` becomes a literal `{{`.
 *
 * @param messages - the messages of the request that the entry answers
 * @param where - what the entry is called in an error
 * @returns the entry, checked anew; the same object where nothing was to be put in
 * @throws SnapshotError `REPLAY_INVALID`: no match, a bad pattern, no end, or a result that no entry may hold
 * @public
 */
export function resolveScriptedEntry(
  entry: ReplayEntry,
  messages: readonly JsonValue[],
  where: string | (() => string) = 'replay entry',
): ReplayEntry {
  let joined: string | undefined
  const corpus = (): string => (joined ??= stringLeaves(messages).join('\n'))
  const resolved = mapStrings(entry, (text, path) => {
    if (!text.includes('{{')) return text
    const template = parseTemplate(text)
    if ('problem' in template) throw replayInvalid(where, at(path, template.problem))
    return template.parts
      .map(part => (typeof part === 'string' ? part : valueOf(part, corpus(), path, where)))
      .join('')
  })
  return resolved === entry ? entry : parseEntry(resolved, () => `${placeOf(where)}, placeholders resolved`)
}

/**
 * Writes a text so that an entry's placeholders leave it as it is.
 *
 * @public
 */
export function escapePlaceholders(text: string): string {
  return text.replaceAll('{{', '{{{{')
}

/** The first text of the value whose placeholders are not well formed. */
export function placeholderProblem(value: unknown): Problem | undefined {
  let problem: Problem | undefined
  mapStrings(value, (text, path) => {
    const template = parseTemplate(text)
    if ('problem' in template) problem ??= at(path, template.problem)
    return text
  })
  return problem
}

/** The path is copied: its owner goes on with it. */
function at(path: ValuePath, problem: Problem): Problem {
  return { ...problem, path: [...path] }
}

/** Characters of the request in an error. */
const shown = 300

function valueOf(placeholder: Placeholder, corpus: string, path: ValuePath, where: Where): string {
  const last = lastMatch(corpus, placeholder.pattern)
  if (last === 'too slow')
    throw replayInvalid(where, { path: [...path], message: tooSlow(placeholder, corpus) })
  if (last !== undefined) return last[1] ?? last[0]
  throw replayInvalid(where, {
    path: [...path],
    message:
      `the pattern /${placeholder.source}/ of a fromRequest placeholder matches nothing in the request's messages, whose ` +
      `strings are joined by line ends: ${shorten(JSON.stringify(corpus), shown)}; allowed: a pattern that finds its ` +
      'value there (^ and $ stand for the ends of it all, not of a line)',
  })
}

function tooSlow({ source }: Placeholder, corpus: string): string {
  return (
    `the search for the pattern /${source}/ of a fromRequest placeholder was given up: it takes too long in the ` +
    `${corpus.length} characters of the request; allowed: a pattern that does not try one place again and again. Begin it ` +
    'with a word, and repeat no repetition'
  )
}
