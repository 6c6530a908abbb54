import type { JsonObject, SessionEvent, SessionHeader } from '../session-log/types.ts'
import type { NormalizeContext } from './normalize-context.ts'
import type { TextRule } from './text-rule.ts'

/** Changes one event: a new one where there is something to change, else the same. @public */
export type EventRule = (event: SessionEvent) => SessionEvent

/** Changes the header of a log, likewise. @public */
export type HeaderRule = (header: SessionHeader) => SessionHeader

/** Changes one frame of standard output, likewise. @public */
export type FrameRule = (frame: JsonObject) => JsonObject

/**
 * One rule of the normalisation: what it does, to which parts, and why there is such a rule. Each part is compiled once for
 * a document, a log or an output, so it may count what it has seen in that one. Applied to what it has made, a
 * rule must change nothing. Of all rules, the parts about events, headers and frames come before those about texts.
 *
 * @public
 */
export interface NormalizationRule {
  /** What explanations call it: words in lower case, joined by hyphens. */
  readonly name: string
  /** The case that made it necessary: one sentence. */
  readonly why: string
  /** For each string value; keys are left alone. */
  readonly text?: (context: NormalizeContext) => TextRule
  readonly event?: (context: NormalizeContext) => EventRule
  readonly header?: (context: NormalizeContext) => HeaderRule
  readonly frame?: (context: NormalizeContext) => FrameRule
}
