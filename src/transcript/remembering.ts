import type { TextRule } from './text-rule.ts'

const SLOTS = 64

/**
 * The same rule, which knows its last answers: in a log, the text of a block comes three times in a row, and the ids and
 * types of one event are those of the next. One answer is kept for each of a few lengths.
 */
export function remembering(rule: TextRule): TextRule {
  const empty = rule('')
  const inputs = Array.from({ length: SLOTS }, () => '')
  const outputs = Array.from({ length: SLOTS }, () => empty)
  return text => {
    const slot = text.length % SLOTS
    if (inputs[slot] === text) return outputs[slot] ?? empty
    const output = rule(text)
    inputs[slot] = text
    outputs[slot] = output
    return output
  }
}
