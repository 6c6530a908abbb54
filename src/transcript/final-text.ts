import type { TextFact } from '../scenario/index.ts'
import { asObject, blockTexts } from '../session-log/json-parts.ts'
import type { SessionLog } from '../session-log/index.ts'
import { brokenFact, placeInLog } from './broken-fact.ts'
import type { Difference } from './difference.ts'
import { textBreach } from './text-fact.ts'

/** The agent's last text, where it is another one than is said. */
export function brokenFinalText(
  fact: TextFact | undefined,
  primary: { readonly name: string; readonly log: SessionLog } | undefined,
): Difference[] {
  if (fact === undefined) return []
  const { text, seq } = finalText(primary?.log)
  const breach = textBreach(fact, text)
  if (breach === undefined) return []
  const place = primary === undefined || seq === undefined ? '' : ` (${placeInLog(primary.name, seq)})`
  return [brokenFact(['finalText', breach.key], { ...breach, told: breach.told + place })]
}

/**
 * The text blocks of the last message that has any text; empty where the agent has said nothing. Reasoning is no text, and
 * a message that only calls tools is passed over.
 */
function finalText(log: SessionLog | undefined): { readonly text: string; readonly seq?: number } {
  for (const { type, seq, data } of log?.events.toReversed() ?? []) {
    if (type !== 'assistant/message') continue
    const text = blockTexts(asObject(data.message)?.content).join('')
    if (text !== '') return { text, seq }
  }
  return { text: '' }
}
