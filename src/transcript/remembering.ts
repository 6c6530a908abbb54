import type { TextRule } from './text-rule.ts'

const SLOTS = 64

interface Answer {
  input: string
  output: string
}

/**
 * The same rule, which knows its last answers: in a log, the text of a block comes three times in a row, and the ids and
 * types of one event are those of the next. One answer is kept for each of a few lengths.
 */
export function remembering(rule: TextRule): TextRule {
  const answers: Answer[] = []
  return text => {
    const slot = text.length % SLOTS
    const answer = answers[slot]
    if (answer?.input === text) return answer.output
    const output = rule(text)
    if (answer === undefined) {
      answers[slot] = { input: text, output }
    } else {
      answer.input = text
      answer.output = output
    }
    return output
  }
}
