import { writeFileSync } from 'node:fs'
import path from 'node:path'

import { z } from 'zod'

import { counted } from './counted.ts'
import { SnapshotError } from './errors.ts'
import { agentLog } from './host/agent-log.ts'
import { loadComposition, type Composition, type CompositionOptions } from './host/composition/composition.ts'
import {
  checkedComposition,
  foundVariable,
  type CheckedComposition,
  type FoundModules,
  type PluginShape,
} from './host/subprocess/checked-composition.ts'
import { runToEnd, type EndedProcess } from './host/subprocess/run-to-end.ts'
import { compositionSchema } from './run-options.ts'
import { serveCommand } from './host/subprocess/serve-command.ts'

/** What {@link checkPlugins} takes. @public */
export interface CheckPluginsOptions {
  /** The Loader configuration. Its overlay is looked at only where `overlay` names it. */
  readonly composition: string | CompositionOptions
  /** Values of the process's environment. */
  readonly env?: Readonly<Record<string, string>>
  /** How long all of it may take, ms; 60,000 by default. One module may take 10,000. */
  readonly timeoutMs?: number
}

/**
 * Checks in a process of its own that every plugin of a composition keeps what its module exports by name: `name`,
 * `inject`, `Config`, `apply`. The Loader takes a default export alone, and what that lacks is lost. Modules are imported as
 * Node imports them, in list order; nothing is mounted.
 *
 * @returns the plugins in list order, each once; those that are switched off are left out
 * @throws SnapshotError `COMPOSITION_FAILED` that names every plugin that loses something, what, and the fix, and every module
 *   that can't be imported; `DEADLINE_EXCEEDED`; `USAGE` for `composition.modules`
 * @public
 */
export async function checkPlugins(options: CheckPluginsOptions): Promise<readonly PluginShape[]> {
  checkOptions(options)
  const composition = await liveComposition(options.composition)
  const { file } = composition
  const { plugins } = await lookInProcess(composition, options)
  const wrong = plugins.filter(({ problem }) => problem !== undefined)
  if (wrong.length === 0) return plugins
  const problems = wrong.map(({ problem }) => `\n  ${String(problem)}`)
  throw new SnapshotError(
    'COMPOSITION_FAILED',
    `${file}: of ${counted(plugins.length, 'plugin')}, ${wrong.length} would not be mounted as exported:${problems.join('')}`,
    { details: { file, plugins: wrong } },
  )
}

const optionsSchema = z.strictObject({
  composition: z.union([z.string().min(1), compositionSchema]),
  env: z.record(z.string(), z.string()).optional(),
  timeoutMs: z.number().positive().optional(),
})

function checkOptions(options: CheckPluginsOptions): void {
  const result = optionsSchema.safeParse(options)
  if (result.success) return
  throw new SnapshotError('USAGE', `checkPlugins was given wrong options. ${z.prettifyError(result.error)}`)
}

async function liveComposition(named: CheckPluginsOptions['composition']): Promise<Composition> {
  const options = typeof named === 'string' ? { config: named } : named
  const composition = await loadComposition({ ...options, overlay: options.overlay ?? false }, 'replay')
  if (Object.keys(composition.modules).length === 0) return composition
  throw new SnapshotError(
    'USAGE',
    'composition.modules has values of this process, and plugins are checked in a process of their own. Let an entry name ' +
      'a file.',
  )
}

/** Starts a process that looks at the plugins, and reads what it has found. */
async function lookInProcess(
  { file, folderUrl, imports }: FoundModules,
  { env = {}, timeoutMs = 60_000 }: CheckPluginsOptions,
): Promise<CheckedComposition> {
  const ended = await runToEnd({
    command: serveCommand(file, ['--check', '--json']),
    name: 'check-plugins',
    env: ({ real }) => {
      const found = path.join(real, 'found.json')
      writeFileSync(found, JSON.stringify({ file, folderUrl, imports } satisfies FoundModules))
      return { ...env, [foundVariable]: found }
    },
    timeoutMs,
    late: errors => {
      const message = `${file}: the process that imports its plugins has not ended.`
      const advice = 'Look for a plugin whose import takes long, or allow more time (timeoutMs)'
      return `${message}${agentLog(errors, message)}\n${advice}`
    },
  })
  return parseAnswer(ended, file)
}

function parseAnswer({ end, output, errors }: EndedProcess, file: string): CheckedComposition {
  try {
    return checkedComposition.parse(JSON.parse(output))
  } catch (cause) {
    const message =
      `${file}: the process that imports its plugins ended (${end.signal ?? `exit code ${String(end.code)}`}) without ` +
      `telling what it found: its standard output is ${JSON.stringify(output.slice(0, 200))}. Look at what it wrote to ` +
      'standard error.'
    throw new SnapshotError('COMPOSITION_FAILED', message + agentLog(errors, message), {
      cause,
      details: { file, ...end },
    })
  }
}
