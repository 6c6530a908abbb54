import { describe, type Problem } from './problem.ts'

/** A placeholder, its pattern compiled. */
export interface Placeholder {
  /** The pattern as it is written. */
  readonly source: string
  /** Finds every match: it has the flag `g`. */
  readonly pattern: RegExp
}

/** A text cut into literal pieces and placeholders. */
export type Template = readonly (string | Placeholder)[]

const OPEN = '{{fromRequest:'
const ESCAPE = '{{{{'

/**
 * Cuts a text at its placeholders. `{{{{` is a literal `{{`; a `{{` that begins neither stands for itself.
 *
 * @returns the pieces, or what is wrong with the text
 */
export function parseTemplate(text: string): { readonly parts: Template } | { readonly problem: Problem } {
  const parts: (string | Placeholder)[] = []
  let literal = ''
  let at = 0
  for (;;) {
    const next = text.indexOf('{{', at)
    if (next === -1) break
    literal += text.slice(at, next)
    if (text.startsWith(ESCAPE, next)) {
      literal += '{{'
      at = next + ESCAPE.length
    } else if (text.startsWith(OPEN, next)) {
      const end = endOfPlaceholder(text, next + OPEN.length)
      if (end === undefined) return { problem: unterminated(text.slice(next)) }
      const placeholder = compile(text.slice(next + OPEN.length, end - 2))
      if ('path' in placeholder) return { problem: placeholder }
      parts.push(literal, placeholder)
      literal = ''
      at = end
    } else {
      // One brace only: the second may begin a placeholder, as in `{{{fromRequest:…}}`.
      literal += '{'
      at = next + 1
    }
  }
  parts.push(literal + text.slice(at))
  return { parts }
}

/** Just behind the placeholder: a run of closing braces ends it with its last two, so a pattern may end in `}`. */
function endOfPlaceholder(text: string, from: number): number | undefined {
  let end = text.indexOf('}}', from)
  if (end === -1) return undefined
  while (text[end] === '}') end++
  return end
}

function unterminated(rest: string): Problem {
  return {
    path: [],
    message: `the placeholder ${describe(rest)} has no end; allowed: {{fromRequest:<pattern>}}, and {{{{ for a literal {{`,
  }
}

function compile(source: string): Placeholder | Problem {
  try {
    return { source, pattern: new RegExp(source, 'g') }
  } catch (error) {
    return {
      path: [],
      message: `the pattern ${describe(source)} is bad (${String(error)}); allowed: a JavaScript regular expression`,
    }
  }
}
