import vm from 'node:vm'

/** How long one pattern may be looked for, ms: one that backtracks for ever would hold up all there is in the process. */
const LONGEST_SEARCH_MS = 2000

/** Nothing else than this stops a regular expression. */
const search = new vm.Script(
  '(() => { let last; for (const match of text.matchAll(pattern)) last = match; return last })()',
)

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
  try {
    return search.runInNewContext({ text, pattern }, { timeout: timeoutMs }) as RegExpExecArray | undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return 'too slow'
    throw error
  }
}
