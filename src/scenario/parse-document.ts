import type { z } from 'zod'
import { SnapshotError } from '../errors.ts'
import { jsonPosition } from './json-position.ts'
import type { JsonPath } from './json-scan.ts'
import { parseJson } from './parse-json.ts'

const MOST_ISSUES = 10
const LONGEST_QUOTE = 60

/** One thing that is wrong in a document: where, and a sentence about it. */
export interface DocumentIssue {
  readonly path: JsonPath
  readonly problem: string
}

/**
 * Parses a JSON document and checks its shape.
 *
 * @param file - what the document is called in messages
 * @throws SnapshotError `SCENARIO_INVALID` with file, line and column of every flaw (of the first ten)
 */
export function parseDocument<T>(schema: z.ZodType<T>, text: string, file: string): T {
  const value = parseJson(text, file)
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issues = result.error.issues.map(issue => describe(issue, value))
  throw documentError(issues, text, file)
}

/** The error for flaws that a schema alone can't see. */
export function documentError(issues: readonly DocumentIssue[], text: string, file: string): SnapshotError {
  const shown = issues.slice(0, MOST_ISSUES).map(issue => ({ ...issue, ...jsonPosition(text, issue.path) }))
  const lines = shown.map(({ line, column, problem }) => `${file}:${line}:${column}: ${problem}`)
  if (issues.length > MOST_ISSUES) lines.push(`… and ${issues.length - MOST_ISSUES} more in ${file}`)
  return new SnapshotError('SCENARIO_INVALID', lines.join('\n'), { details: { file, issues: shown } })
}

/** A path as code would write it: `steps[1].text`. */
export function formatPath(path: JsonPath): string {
  const written = path.map(part => {
    if (typeof part === 'number') return `[${part}]`
    return /^[a-zA-Z_$][\w$]*$/.test(part) ? `.${part}` : `[${quote(part)}]`
  })
  return written.join('').replace(/^\./, '') || 'the document'
}

/** A value of a document in a few words. */
export function quote(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  if (typeof value !== 'string') return String(value)
  return value.length > LONGEST_QUOTE
    ? `${JSON.stringify(value.slice(0, LONGEST_QUOTE))}…`
    : JSON.stringify(value)
}

function describe(issue: z.core.$ZodIssue, root: unknown): DocumentIssue {
  const path = issue.path.map(part => (typeof part === 'number' ? part : String(part)))
  const place = formatPath(path)
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.keys.slice(0, MOST_ISSUES)
    const unknown = keys.map(quote).join(', ')
    return {
      path: [...path, ...keys.slice(0, 1)],
      problem: `${place} has the unknown key ${unknown}; known here: ${issue.message}. Rename or remove it.`,
    }
  }
  if (issue.code === 'invalid_key') {
    const problem = `${formatPath(path.slice(0, -1))} has the key ${quote(path.at(-1))}; expected ${issue.message}.`
    return { path, problem: `${problem} Rename or remove it.` }
  }
  const found = valueAt(root, path)
  if (found === undefined) return { path, problem: `${place} is missing; expected ${issue.message}. Add it.` }
  return { path, problem: `${place} is ${quote(found)}; expected ${issue.message}. Correct it.` }
}

/** Undefined where there is nothing: JSON itself has no such value. */
function valueAt(root: unknown, path: JsonPath): unknown {
  let value = root
  for (const part of path) value = (value as Readonly<Record<string | number, unknown>>)[part]
  return value
}
