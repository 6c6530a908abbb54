import { counted } from '../counted.ts'
import { checkComposition } from '../host/subprocess/check-composition.ts'
import type { CheckedComposition } from '../host/subprocess/checked-composition.ts'
import { printable, printableJson } from '../printable.ts'

/** What `serve --check` is called with. */
export interface CheckCommand {
  readonly config: string
  readonly json: boolean
  readonly signal: AbortSignal | undefined
}

/** Looks at the plugins of a composition and prints what they export and what the Loader keeps. Gives the exit code. */
export async function checkCommand(
  { config, json, signal }: CheckCommand,
  print: (line: string) => void,
): Promise<number> {
  const checked = await checkComposition({ config, signal })
  if (json) print(printableJson(JSON.stringify(checked, null, 2)))
  else for (const line of linesOf(checked)) print(printable(line))
  return checked.ok ? 0 : 1
}

function linesOf({ plugins }: CheckedComposition): string[] {
  const problems = plugins.flatMap(({ problem }) => problem ?? [])
  const rows = plugins.map(({ entry, exports, keeps }) => [entry, words(exports), words(keeps)] as const)
  return [
    ...table([['plugin', 'exports by name', 'the Loader keeps'], ...rows]),
    ...problems.map(problem => problem.replaceAll('\n', ' ')),
    `${counted(plugins.length, 'plugin')}, ${problems.length === 0 ? 'no problems' : counted(problems.length, 'problem')}`,
  ]
}

function words(keys: readonly string[]): string {
  return keys.length === 0 ? '-' : keys.join(' ')
}

function table(rows: readonly (readonly [string, string, string])[]): string[] {
  const width = (column: 0 | 1): number => Math.max(...rows.map(row => row[column].length))
  const [first, second] = [width(0), width(1)]
  return rows.map(([entry, exports, keeps]) => `${entry.padEnd(first)}  ${exports.padEnd(second)}  ${keeps}`)
}
