import { parseArgs } from 'node:util'

import { SnapshotError } from '../errors.ts'
import { runCommand } from './run-command.ts'

const usage = `Usage: acp-snapshot run <folder…> [--composition <file>] [--json]

  run   replays each scenario folder, or every one below a folder, and compares what the agent
        says and logs with its recording. Exit code 0 only if all are equal.

  --composition <file>  the Loader configuration to mount, such as a cordis.yml; by default the one
                        that suite.json names, else the nearest cordis.yml upwards
  --json                print one JSON document instead of lines
  --help                print this`

/** Where a command prints to. */
export interface Terminal {
  readonly out: (line: string) => void
  readonly error: (line: string) => void
  readonly color: boolean
}

/**
 * Runs a command line. Never throws.
 *
 * @returns the exit code: 0 all is well, 1 something differs or failed, 2 the command line is wrong
 */
export async function main(argv: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const { values, positionals } = parse(argv)
    const [command, ...folders] = positionals
    if (values.help === true) {
      terminal.out(usage)
      return 0
    }
    if (command !== 'run')
      throw usageError(command === undefined ? 'no command' : `unknown command ${JSON.stringify(command)}`)
    if (folders.length === 0) throw usageError('run needs at least one scenario folder')
    const { composition, json = false } = values
    return await runCommand(
      { folders, json, color: terminal.color, ...(composition === undefined ? {} : { composition }) },
      terminal.out,
    )
  } catch (error) {
    const expected = error instanceof SnapshotError
    terminal.error(
      `acp-snapshot: ${expected ? error.message : error instanceof Error ? (error.stack ?? '') : String(error)}`,
    )
    return expected && error.code === 'USAGE' ? 2 : 1
  }
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        composition: { type: 'string' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    throw usageError(error instanceof Error ? error.message : String(error))
  }
}

function usageError(problem: string): SnapshotError {
  return new SnapshotError('USAGE', `${problem}.\n\n${usage}`)
}
