import type { JsonObject, SessionLog } from '../../src/session-log/types.ts'
import { normalizationRules } from '../../src/transcript/built-in-rules.ts'
import { mapStrings } from '../../src/transcript/map-strings.ts'
import type { NormalizeContext } from '../../src/transcript/normalize-context.ts'
import type { NormalizationRule, TextRule } from '../../src/transcript/index.ts'

/** A log as the registered rules and the context's own make it, one by one: slow, and with nothing left out. */
export function logByRules(log: SessionLog, context: NormalizeContext): SessionLog {
  const rules = rulesOf(context)
  const texts = textsOf(rules, context)
  let header = rules.reduce((current, rule) => rule.header?.(context)(current) ?? current, log.header)
  for (const text of texts) {
    const { cwd, agentPreset } = header
    header = {
      ...header,
      ...(cwd !== undefined && { cwd: text(cwd) }),
      ...(agentPreset !== undefined && { agentPreset: text(agentPreset) }),
    }
  }
  const apply = rules.flatMap(({ event }) => event?.(context) ?? [])
  const events = log.events.map(whole => {
    const event = apply.reduce((current, rule) => rule(current), whole)
    return { ...event, data: valueBy(texts, event.data) }
  })
  return { file: log.file, header, headerLine: JSON.stringify(header), events }
}

/** Frames, likewise. */
export function framesByRules(frames: readonly JsonObject[], context: NormalizeContext): JsonObject[] {
  const rules = rulesOf(context)
  const texts = textsOf(rules, context)
  const apply = rules.flatMap(({ frame }) => frame?.(context) ?? [])
  return frames.map(frame =>
    valueBy(
      texts,
      apply.reduce((current, rule) => rule(current), frame),
    ),
  )
}

function rulesOf({ rules = [] }: NormalizeContext): readonly NormalizationRule[] {
  return [...normalizationRules, ...rules]
}

function textsOf(rules: readonly NormalizationRule[], context: NormalizeContext): TextRule[] {
  return rules.flatMap(({ text }) => text?.(context) ?? [])
}

function valueBy(texts: readonly TextRule[], value: JsonObject): JsonObject {
  return texts.reduce((current, text) => mapStrings(current, text) as JsonObject, value)
}
