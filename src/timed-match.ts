import vm from 'node:vm'

/** How long one pattern may be looked for, ms: one that backtracks for ever would hold up all there is in the process. */
const LONGEST_SEARCH_MS = 2000

// Nothing else than the limit of a script stops a regular expression.
const lastOfAll = new vm.Script(
  '(() => { let last; for (const match of text.matchAll(pattern)) last = match; return last })()',
)
const any = new vm.Script('pattern.test(text)')

/**
 * The last match of a pattern.
 *
 * @param pattern - with the flag `g`
 * @returns undefined where there is none, `too slow` where the search was given up
 */
export function lastMatch(
  text: string,
  pattern: RegExp,
  timeoutMs = LONGEST_SEARCH_MS,
): RegExpExecArray | undefined | 'too slow' {
  return search(lastOfAll, { text, pattern }, timeoutMs) as RegExpExecArray | undefined | 'too slow'
}

/**
 * Whether a pattern matches anywhere.
 *
 * @param pattern - without the flags `g` and `y`, which would remember the place
 * @returns `too slow` where the search was given up
 */
export function hasMatch(text: string, pattern: RegExp, timeoutMs = LONGEST_SEARCH_MS): boolean | 'too slow' {
  return search(any, { text, pattern }, timeoutMs) as boolean | 'too slow'
}

/** What a search is about. To make a context takes longer than most searches, so that there is one for all. */
const searched: { text?: string; pattern?: RegExp } = {}
let context: vm.Context | undefined

function search(script: vm.Script, about: Required<typeof searched>, timeout: number): unknown {
  context ??= vm.createContext(searched)
  Object.assign(searched, about)
  try {
    return script.runInContext(context, { timeout }) as unknown
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return 'too slow'
    throw error
  } finally {
    delete searched.text
    delete searched.pattern
  }
}
