import { existsSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

import { SnapshotError } from '../errors.ts'
import { describeError } from './describe-error.ts'
import { loadRules } from './load-rules.ts'
import { usage } from './usage.ts'

/** Where a command prints to, and whom it may ask. */
export interface Terminal {
  readonly out: (line: string) => void
  readonly error: (line: string) => void
  readonly color: boolean
  /** Ends the command; its reason is printed. */
  readonly signal?: AbortSignal
  /** Asks a question that is answered with yes or no; absent where nobody sits before the terminal. */
  readonly ask?: (question: string) => Promise<boolean>
}

/**
 * Runs a command line. Never throws.
 *
 * @returns the exit code: 0 all is well, 1 something differs or failed, 2 the command line is wrong, 130 interrupted
 */
export async function main(argv: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const { values, positionals } = parse(argv)
    const [command, ...args] = positionals
    if (values.help === true || values.version === true) {
      terminal.out(values.help === true ? usage : version())
      return 0
    }
    if (command === undefined) throw usageError('no command')
    if (!isCommand(command)) throw usageError(`unknown command ${JSON.stringify(command)}`)
    refuseOptionsOfOthers(command, values)
    const needed = argumentsOf[command]
    if (args.length === 0 && needed !== undefined) throw usageError(`${command} needs ${needed}`)
    return await commands[command](args, values, terminal)
  } catch (error) {
    if (terminal.signal?.aborted === true) {
      terminal.error('acp-snapshot: interrupted')
      return 130
    }
    terminal.error(`acp-snapshot: ${describeError(error)}`)
    return error instanceof SnapshotError && error.code === 'USAGE' ? 2 : 1
  }
}

type Values = ReturnType<typeof parse>['values']
type Command = (args: readonly string[], values: Values, terminal: Terminal) => Promise<number>

/** The options of each command, beside --json. */
const optionsOf = {
  run: ['composition', 'host', 'drift', 'rules', 'explain', 'max-lines'],
  record: ['composition', 'rules'],
  refresh: ['composition', 'rules', 'max-lines', 'yes'],
  inspect: [],
  verify: [],
  serve: ['config', 'check'],
} as const satisfies Readonly<Record<string, readonly (keyof Values)[]>>

type CommandName = keyof typeof optionsOf

/** What each command is called with; absent where nothing may be. */
const argumentsOf: Readonly<Record<CommandName, string | undefined>> = {
  run: 'at least one scenario folder',
  record: 'at least one scenario folder',
  refresh: 'at least one scenario folder',
  inspect: 'one folder',
  verify: 'at least one scenario folder',
  serve: undefined,
}

/** Each loads what it needs: an agent that is served is not to wait for the rest. */
const commands: Readonly<Record<CommandName, Command>> = {
  run: async (scenarios, values, { out, color, signal }) => {
    const { drift, host, explain = false } = values
    if (drift !== undefined && drift !== 'error' && drift !== 'report') {
      throw usageError(`--drift is ${JSON.stringify(drift)}; it can be error or report`)
    }
    if (host !== undefined && host !== 'in-process' && host !== 'subprocess') {
      throw usageError(`--host is ${JSON.stringify(host)}; it can be in-process or subprocess`)
    }
    const { runCommand } = await import('./run-command.ts')
    return await runCommand(
      {
        scenarios,
        ...(await shared(values, signal)),
        color,
        ...(drift === undefined ? {} : { drift }),
        ...(host === undefined ? {} : { host }),
        explain,
      },
      out,
    )
  },
  record: async (scenarios, values, { out, signal }) => {
    const { recordCommand } = await import('./record-command.ts')
    return await recordCommand({ scenarios, ...(await shared(values, signal)) }, out)
  },
  refresh: async (scenarios, values, { out, signal, ask }) => {
    const { yes = false } = values
    const { refreshCommand } = await import('./refresh-command.ts')
    return await refreshCommand({ scenarios, ...(await shared(values, signal)), yes, ask }, out)
  },
  inspect: async ([folder, ...more], { json = false }, { out, signal }) => {
    if (folder === undefined || more.length > 0) throw usageError('inspect needs one folder')
    const { inspectCommand } = await import('./inspect-command.ts')
    return await inspectCommand({ folder, json, signal }, out)
  },
  verify: async (folders, { json = false }, { out, signal }) => {
    const { verifyCommand } = await import('./verify-command.ts')
    return await verifyCommand({ folders, json, signal }, out)
  },
  serve: async (rest, { config, check = false, json = false }, { out, signal }) => {
    if (config === undefined || rest.length > 0)
      throw usageError('serve needs --config <file> and nothing else')
    if (check) {
      const { checkCommand } = await import('./check-command.ts')
      return await checkCommand({ config, json, signal }, out)
    }
    if (json) throw usageError('serve has no option --json but beside --check')
    const { serve } = await import('../host/subprocess/serve.ts')
    await serve({ config, signal })
    return 0
  },
}

/** What the commands that run scenarios have in common. */
async function shared(values: Values, signal: AbortSignal | undefined) {
  const { composition, rules, json = false } = values
  const maxLines = values['max-lines']
  if (maxLines !== undefined && !/^[1-9]\d{0,8}$/.test(maxLines)) {
    throw usageError(`--max-lines is ${JSON.stringify(maxLines)}; it can be an integer from 1`)
  }
  if (composition !== undefined && !existsSync(composition)) {
    throw usageError(`--composition names ${JSON.stringify(composition)}, which does not exist`)
  }
  return {
    json,
    signal,
    ...(composition === undefined ? {} : { composition }),
    ...(rules === undefined ? {} : { rules: await loadRules(rules) }),
    ...(maxLines === undefined ? {} : { maxLines: Number(maxLines) }),
  }
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        composition: { type: 'string' },
        config: { type: 'string' },
        check: { type: 'boolean' },
        host: { type: 'string' },
        drift: { type: 'string' },
        rules: { type: 'string' },
        explain: { type: 'boolean' },
        'max-lines': { type: 'string' },
        yes: { type: 'boolean', short: 'y' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean' },
      },
    })
  } catch (error) {
    throw usageError((error as Error).message)
  }
}

function isCommand(name: string): name is CommandName {
  return Object.hasOwn(optionsOf, name)
}

function refuseOptionsOfOthers(command: CommandName, values: Values): void {
  const known: readonly string[] = [...optionsOf[command], 'json']
  const refused = Object.keys(values).find(option => !known.includes(option))
  if (refused !== undefined) throw usageError(`${command} has no option --${refused}`)
}

function version(): string {
  const file = new URL('../../package.json', import.meta.url)
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version
}

function usageError(problem: string): SnapshotError {
  return new SnapshotError('USAGE', `${problem}.\n\n${usage}`)
}
