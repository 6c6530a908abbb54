import type { JsonObject, SessionEvent, SessionHeader, SessionLog } from '../session-log/types.ts'
import { normalizationRules } from './built-in-rules.ts'
import { agentStdout, mapFrames } from './frames.ts'
import { mapStrings } from './map-strings.ts'
import type { NormalizeContext } from './normalize-context.ts'
import type { NormalizationRule } from './rule.ts'
import { listChanges } from './value-difference.ts'

/**
 * What one rule of the normalisation changed in one place.
 *
 * @public
 */
export interface NormalizationChange {
  /** The rule's name. */
  readonly rule: string
  /** `stdout`, or the log's name. */
  readonly surface: string
  /** Position of the frame or event, from 0; -1 for a log's header. */
  readonly index: number
  /** Where in it, such as `params.update.content.text`. */
  readonly path: string
  /** What the rules before it had left there. */
  readonly before: unknown
  readonly after: unknown
}

/** What is normalised: compiled rules of one document, in the order in which they are applied. */
type Steps<T> = readonly { readonly rule: string; readonly apply: (value: T) => T }[]

/**
 * Which rule changes what when a log is normalised, in order of the log and, in one place, of the rules.
 *
 * @public
 */
export function explainSessionLog(log: SessionLog, context: NormalizeContext): NormalizationChange[] {
  const rules = rulesOf(context)
  const texts = textSteps(rules, context)
  const header = [
    ...rules.flatMap(({ name, header }) =>
      header === undefined ? [] : { rule: name, apply: header(context) },
    ),
    ...texts.map(({ rule, apply }) => ({
      rule,
      apply: (value: SessionHeader): SessionHeader => {
        const { cwd, agentPreset } = value
        const texts = {
          ...(cwd === undefined ? {} : { cwd }),
          ...(agentPreset === undefined ? {} : { agentPreset }),
        }
        return { ...value, ...apply(texts) }
      },
    })),
  ]
  const event = [
    ...rules.flatMap(({ name, event }) => (event === undefined ? [] : { rule: name, apply: event(context) })),
    ...texts.map(({ rule, apply }) => ({
      rule,
      apply: (value: SessionEvent): SessionEvent => ({ ...value, data: apply(value.data) }),
    })),
  ]
  return [
    ...changesIn(log.file, -1, log.header, header),
    ...log.events.flatMap(value => changesIn(log.file, value.seq, value, event)),
  ]
}

/**
 * Which rule changes what when standard output is normalised.
 *
 * @throws SnapshotError `STDOUT_INVALID` at a line that is not a JSON object
 * @public
 */
export function explainStdout(raw: string, context: NormalizeContext): NormalizationChange[] {
  const rules = rulesOf(context)
  const steps = [
    ...rules.flatMap(({ name, frame }) => (frame === undefined ? [] : { rule: name, apply: frame(context) })),
    ...textSteps(rules, context),
  ]
  return mapFrames(raw, agentStdout, (frame, index) => changesIn('stdout', index, frame, steps)).flat()
}

function rulesOf({ rules = [] }: NormalizeContext): readonly NormalizationRule[] {
  return [...normalizationRules, ...rules]
}

function textSteps(rules: readonly NormalizationRule[], context: NormalizeContext): Steps<JsonObject> {
  return rules.flatMap(({ name, text }) => {
    const apply = text?.(context)
    return apply === undefined
      ? []
      : { rule: name, apply: (value: JsonObject) => mapStrings(value, apply) as JsonObject }
  })
}

function changesIn<T>(surface: string, index: number, value: T, steps: Steps<T>): NormalizationChange[] {
  const found: NormalizationChange[] = []
  let current = value
  for (const { rule, apply } of steps) {
    const next = apply(current)
    for (const { path, expected, actual } of listChanges(current, next, Infinity)) {
      found.push({ rule, surface, index, path, before: expected, after: actual })
    }
    current = next
  }
  return found
}
