import { z } from 'zod'
import type { DocumentIssue } from './parse-document.ts'
import { documentError, parseDocument } from './parse-document.ts'
import { exactObject, listOf } from './schema-parts.ts'
import { stepSchema } from './step-schema.ts'
import type { Step, StepOp } from './steps.ts'

const KINDS = ['allow_once', 'allow_always', 'reject_once', 'reject_always'] as const

/** How to answer one permission request: by the kind of an option that it offers. @public */
export interface PermissionAnswer {
  readonly kind: 'allow_once' | 'allow_always' | 'reject_once' | 'reject_always'
}

/** What a scenario's client does, with every default filled in. @public */
export interface InputScript {
  readonly steps: readonly Step[]
  /** Used first in, first out. */
  readonly permissionAnswers: readonly PermissionAnswer[]
}

const schema: z.ZodType<InputScript> = exactObject({
  steps: listOf(stepSchema, 'a list of steps'),
  permissionAnswers: listOf(
    exactObject({ kind: z.enum(KINDS, { error: `one of ${KINDS.join(', ')}` }) }),
    'a list of answers, each { "kind" }',
  ).default([]),
})

/** A waitForFile needs no session: what it waits for may be written while the agent mounts. */
const NEEDS_NO_SESSION: ReadonlySet<StepOp> = new Set<StepOp>([
  'initialize',
  'newSession',
  'newSessionExpectError',
  'waitForFile',
  'signal',
])

/**
 * Parses an `input.json`: `{ "steps": [{ "op", … }], "permissionAnswers"?: [{ "kind" }] }`.
 *
 * @param text - the document
 * @param file - what it is called in messages, such as its path
 * @throws SnapshotError `SCENARIO_INVALID`, with file, line and column: not JSON, an unknown op or key, a value out of
 * its range, a path that leaves the run's cwd, or a step that needs a session before one is opened
 * @public
 */
export function parseInputScript(text: string, file: string): InputScript {
  const script = parseDocument(schema, text, file)
  const issue = sessionIssue(script.steps)
  if (issue !== undefined) throw documentError([issue], text, file)
  return script
}

function sessionIssue(steps: readonly Step[]): DocumentIssue | undefined {
  const opened = steps.findIndex(step => step.op === 'newSession')
  const before = opened === -1 ? steps : steps.slice(0, opened)
  const index = before.findIndex(step => !NEEDS_NO_SESSION.has(step.op))
  const step = before[index]
  if (step === undefined) return undefined
  const initialized = before.slice(0, index).some(earlier => earlier.op === 'initialize')
  const missing = initialized ? '{ "op": "newSession" }' : '{ "op": "initialize" }, { "op": "newSession" }'
  return {
    path: ['steps', index],
    problem: `steps[${index}] is "${step.op}", which needs a session, and no step before it opens one. Put ${missing} before it.`,
  }
}
