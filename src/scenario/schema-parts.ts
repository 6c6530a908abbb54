import { z } from 'zod'
import { innerPathProblem } from './inner-path.ts'
import { nearestName } from './nearest-name.ts'

// In every schema here an `error` says what was expected, as the end of the sentence "expected …": what was found and
// where is put before it by parse-document.ts.

/** The longest wait that a Node timer can hold, in ms. */
const LONGEST_WAIT = 2 ** 31 - 1

/** The `timeoutMs` of a step that names none. */
export const DEFAULT_TIMEOUT_MS = 10_000

/** An object with these keys and no other. */
export function exactObject<T extends z.core.$ZodLooseShape>(shape: T): z.ZodObject<T, z.core.$strict> {
  const known = Object.keys(shape)
  return z.strictObject(shape, {
    error: issue => {
      if (issue.code !== 'unrecognized_keys') return `an object with the keys ${known.join(', ')}`
      return `${known.join(', ')}${didYouMean(issue.keys, known)}`
    },
  })
}

/** A bracket to put after the known names, for the first of the wrong names that has a close right one. */
export function didYouMean(wrong: readonly string[], known: readonly string[]): string {
  const nearest = wrong.map(name => nearestName(name, known)).find(name => name !== undefined)
  return nearest === undefined ? '' : ` (did you mean ${JSON.stringify(nearest)}?)`
}

export const anyText = z.string({ error: 'a string' })

export const someText = z.string({ error: 'a non-empty string' }).min(1, { error: 'a non-empty string' })

/** An integer of at least `least`; `what` ends the sentence "expected …". */
export function integerFrom(least: number, what: string): z.ZodInt {
  return z.int({ error: what }).min(least, { error: what })
}

export function listOf<T extends z.ZodType>(item: T, what: string): z.ZodReadonly<z.ZodArray<T>> {
  return z.array(item, { error: what }).readonly()
}

/**
 * A string that a rule may refuse.
 *
 * @param expected - ends the sentence "expected …"
 * @param problemOf - says why the string can't be used, if it can't
 */
export function textWithout(problemOf: (text: string) => string | undefined, expected: string): z.ZodString {
  return anyText.superRefine((text, context) => {
    const problem = problemOf(text)
    if (problem !== undefined) context.addIssue(`${expected}, but ${problem}`)
  })
}

/** An object with names of the document's own as keys; `what` ends the sentence "expected …". */
export function recordOf<T extends z.ZodType>(name: z.ZodString, item: T, what: string) {
  return z
    .record(name, item, { error: issue => (issue.code === 'invalid_key' ? issue.issues[0]?.message : what) })
    .readonly()
}

const timeoutText = `an integer of milliseconds from 1 to ${LONGEST_WAIT}`

export const timeoutMs = integerFrom(1, timeoutText)
  .max(LONGEST_WAIT, { error: timeoutText })
  .default(DEFAULT_TIMEOUT_MS)

/** A path that stays inside the run's working directory. */
export const innerPath = textWithout(
  innerPathProblem,
  "a path relative to the run's working directory and inside it",
)

/** A path of any kind that a file system could take. */
export const anyPath = someText.refine(path => !path.includes('\0'), { error: 'a path without a NUL' })

/** The source of a regular expression without flags. */
export const pattern = anyText.refine(isPattern, {
  error: 'a JavaScript regular expression (without slashes and flags)',
})

function isPattern(source: string): boolean {
  try {
    new RegExp(source)
    return true
  } catch {
    return false
  }
}
