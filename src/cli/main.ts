import { existsSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

import { z } from 'zod'

import { SnapshotError } from '../errors.ts'
import { describeError } from './describe-error.ts'
import { inspectCommand } from './inspect-command.ts'
import { loadRules } from './load-rules.ts'
import { runCommand } from './run-command.ts'
import { verifyCommand } from './verify-command.ts'

const usage = `Usage: acp-snapshot run <folder…> [--composition <file>] [--drift error|report] [--rules <module>]
                        [--explain] [--max-lines <n>] [--json]
       acp-snapshot inspect <folder> [--json]
       acp-snapshot verify <folder…> [--json]
       acp-snapshot --help | --version

  run   replays each scenario folder, or every one below a folder, and compares what the agent
        says and logs with its recording. Exit code 0 only if all are equal.
  inspect   prints what a scenario folder holds, or every one below a folder, event by event. Exit
        code 1 if some file can't be read or breaks its format.
  verify   lists everything that is wrong with the files of each scenario folder, or of every one below a
        folder. Runs nothing. Exit code 0 only if there is nothing.

  --composition <file>  the Loader configuration to mount, such as a cordis.yml, for scenarios whose
                        suite.json names none; by default the nearest cordis.yml upwards
  --drift report        let a run go on after a model request that differs from its recording, and list
                        it with the other differences; by default (error) it ends the run
  --rules <module>      further rules of normalisation: the list that the module exports as "rules"
  --explain             say which rule of the normalisation changed what
  --max-lines <n>       how long the report of one scenario may be; 59 by default
  --json                print one JSON document instead of lines`

/** Where a command prints to. */
export interface Terminal {
  readonly out: (line: string) => void
  readonly error: (line: string) => void
  readonly color: boolean
  /** Ends the command; its reason is printed. */
  readonly signal?: AbortSignal
}

/**
 * Runs a command line. Never throws.
 *
 * @returns the exit code: 0 all is well, 1 something differs or failed, 2 the command line is wrong, 130 interrupted
 */
export async function main(argv: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const { values, positionals } = parse(argv)
    const [command, ...folders] = positionals
    if (values.help === true || values.version === true) {
      terminal.out(values.help === true ? usage : version())
      return 0
    }
    if (command === 'inspect') {
      const [folder, ...more] = folders
      if (folder === undefined || more.length > 0) throw usageError('inspect needs one folder')
      refuseOptionsOfRun(command, values)
      const { json = false } = values
      return await inspectCommand({ folder, json, signal: terminal.signal }, terminal.out)
    }
    if (command === 'verify') {
      if (folders.length === 0) throw usageError('verify needs at least one scenario folder')
      refuseOptionsOfRun(command, values)
      const { json = false } = values
      return await verifyCommand({ folders, json, signal: terminal.signal }, terminal.out)
    }
    if (command !== 'run')
      throw usageError(command === undefined ? 'no command' : `unknown command ${JSON.stringify(command)}`)
    if (folders.length === 0) throw usageError('run needs at least one scenario folder')
    const { composition, drift, rules, explain = false, json = false } = values
    const maxLines = values['max-lines']
    if (maxLines !== undefined && !/^[1-9]\d{0,8}$/.test(maxLines)) {
      throw usageError(`--max-lines is ${JSON.stringify(maxLines)}; it can be an integer from 1`)
    }
    if (drift !== undefined && drift !== 'error' && drift !== 'report') {
      throw usageError(`--drift is ${JSON.stringify(drift)}; it can be error or report`)
    }
    if (composition !== undefined && !existsSync(composition)) {
      throw usageError(`--composition names ${JSON.stringify(composition)}, which does not exist`)
    }
    return await runCommand(
      {
        folders,
        json,
        color: terminal.color,
        signal: terminal.signal,
        ...(composition === undefined ? {} : { composition }),
        ...(drift === undefined ? {} : { drift }),
        ...(rules === undefined ? {} : { rules: await loadRules(rules) }),
        ...(maxLines === undefined ? {} : { maxLines: Number(maxLines) }),
        explain,
      },
      terminal.out,
    )
  } catch (error) {
    if (terminal.signal?.aborted === true) {
      terminal.error('acp-snapshot: interrupted')
      return 130
    }
    terminal.error(`acp-snapshot: ${describeError(error)}`)
    return error instanceof SnapshotError && error.code === 'USAGE' ? 2 : 1
  }
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        composition: { type: 'string' },
        drift: { type: 'string' },
        rules: { type: 'string' },
        explain: { type: 'boolean' },
        'max-lines': { type: 'string' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean' },
      },
    })
  } catch (error) {
    throw usageError((error as Error).message)
  }
}

function refuseOptionsOfRun(command: string, values: ReturnType<typeof parse>['values']): void {
  const refused = (['composition', 'drift', 'rules', 'explain', 'max-lines'] as const).find(
    option => values[option] !== undefined,
  )
  if (refused !== undefined) throw usageError(`${command} has no option --${refused}`)
}

function version(): string {
  const file = new URL('../../package.json', import.meta.url)
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(file, 'utf8'))).version
}

function usageError(problem: string): SnapshotError {
  return new SnapshotError('USAGE', `${problem}.\n\n${usage}`)
}
