import type { FileFact } from '../scenario/index.ts'
import { hasMatch } from '../timed-match.ts'
import type { Breach } from './broken-fact.ts'
import { shorten, showPair, showValue } from './shorten.ts'

/** Characters of a text in a message. */
const shown = 80

/** A fact about a text that there is. */
export type PresentText = Exclude<FileFact, { readonly absent: true }>

/** What is wrong with a text, and the key that the fact says it under. */
export interface TextBreach extends Breach {
  readonly key: string
}

/** What is wrong with a text; undefined where nothing is. */
export function textBreach(fact: PresentText, actual: string): TextBreach | undefined {
  const verdict = holds(fact, actual)
  if (verdict === true) return undefined
  if ('equals' in fact) {
    const [was, is] = showPair(fact.equals, actual, shown)
    return { key: 'equals', expected: fact.equals, actual, told: `expected ${was}, found ${is}` }
  }
  const found =
    verdict === 'too slow'
      ? `no end of the search in ${actual.length} characters: it took too long. Repeat no repetition in the pattern`
      : showValue(actual, shown)
  return { ...noText(fact, found), actual }
}

/** The breach where there is no text at all. */
export function noText(fact: PresentText, found: string): TextBreach {
  const breach = (key: string, expected: string, words: string): TextBreach => ({
    key,
    expected,
    actual: undefined,
    told: `expected ${words}, found ${found}`,
  })
  if ('equals' in fact) return breach('equals', fact.equals, showValue(fact.equals, shown))
  if ('contains' in fact) return breach('contains', fact.contains, `${showValue(fact.contains, shown)} in it`)
  return breach('matches', fact.matches, `a match of /${shorten(fact.matches, shown)}/`)
}

function holds(fact: PresentText, actual: string): boolean | 'too slow' {
  if ('equals' in fact) return fact.equals === actual
  if ('contains' in fact) return actual.includes(fact.contains)
  return hasMatch(actual, new RegExp(fact.matches))
}
