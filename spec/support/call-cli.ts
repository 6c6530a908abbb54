import { main } from '../../src/cli/main.ts'

/** What a command line gives; the lines of each stream joined by LF. */
export async function callCli(
  argv: readonly string[],
  signal?: AbortSignal,
  ask?: (question: string) => Promise<boolean>,
): Promise<{ readonly code: number; readonly out: string; readonly error: string }> {
  const out: string[] = []
  const error: string[] = []
  const code = await main(argv, {
    out: line => void out.push(line),
    error: line => void error.push(line),
    color: false,
    ...(signal === undefined ? {} : { signal }),
    ...(ask === undefined ? {} : { ask }),
  })
  return { code, out: out.join('\n'), error: error.join('\n') }
}
