import { z } from 'zod'
import { describe, replayInvalid, type Problem, type Where } from './problem.ts'

/** More problems than this at once help nobody. */
const MOST = 10

/** A strict object whose refusal names the keys that there are. */
export function exactObject<Shape extends z.core.$ZodShape>(
  shape: Shape,
): z.ZodObject<z.core.util.Writeable<Shape>, z.core.$strict> {
  const allowed = Object.keys(shape).join(', ')
  return z.strictObject(shape, {
    error: issue =>
      issue.code === 'unrecognized_keys'
        ? `unknown key ${issue.keys.map(describe).join(', ')}; allowed: ${allowed}`
        : `found ${describe(issue.input)}; allowed: an object with ${allowed}`,
  })
}

/** An error map that says what was found and what is allowed. */
export function allow(allowed: string): { error: (issue: { readonly input?: unknown }) => string } {
  return { error: issue => `found ${describe(issue.input)}; allowed: ${allowed}` }
}

/** A finding of a hand-written check, as zod wants it. */
export function issueOf(problem: Problem): { code: 'custom'; path: (string | number)[]; message: string } {
  return { code: 'custom', path: [...problem.path], message: problem.message }
}

/** Parses with a schema; a refusal is a `REPLAY_INVALID` that lists what is wrong, place by place. */
export function parseWith<T>(schema: z.ZodType<T>, value: unknown, where: Where): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw replayInvalid(where, ...result.error.issues.slice(0, MOST).map(problemOf))
}

function problemOf(issue: z.core.$ZodIssue): Problem {
  return {
    path: issue.path.map(part => (typeof part === 'number' ? part : String(part))),
    message: issue.message,
  }
}
