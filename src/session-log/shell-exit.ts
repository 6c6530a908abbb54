/** What {@link shellExitCode} looks at. */
export interface ShellResult {
  readonly text: string
  readonly isError: boolean
  readonly error?: object
}

/** At the end of a result that was too long, after its preview; a shell's markers stand at the end of that. */
const SPILL_NOTICE = /\n\n\([^\n]*Full formatted result stored at: [^\n]*\)$/

/** The last line, as the harness's shells write it behind the output where the code is not 0. */
const EXIT_CODE = /\n\[exit code: (-?\d+)\]$/

/** The last line where no process has exited of itself, or its code is not known. */
const NO_EXIT = /\n\[(?:killed by signal: |timed out after |exit code: )[^\]\n]*\]$/

/** All there is to read when a process was only started. */
const STARTED = /^started background job \S+$/

/** The exit code that a result tells at its end; undefined where it tells none, as it does for 0. */
export function markedExitCode(text: string): number | undefined {
  const code = EXIT_CODE.exec(withoutNotice(text))?.[1]
  return code === undefined ? undefined : Number(code)
}

/**
 * The exit code of a result, given that the tool is a shell: 0 where a command has ended and nothing else is told.
 *
 * @returns undefined where no process exited: an error, a signal, a timeout, a process in the background
 */
export function shellExitCode(result: ShellResult): number | undefined {
  if (result.isError || result.error !== undefined) return undefined
  const text = withoutNotice(result.text)
  const marked = markedExitCode(text)
  if (marked !== undefined) return marked
  return NO_EXIT.test(text) || STARTED.test(text) ? undefined : 0
}

function withoutNotice(text: string): string {
  return text.replace(SPILL_NOTICE, '')
}
