import { fileURLToPath } from 'node:url'

import type { AgentCommand } from './agent-process.ts'

/**
 * The same library in a Node of its own.
 *
 * @param config - path of the composition
 * @param more - further options of `serve`
 * @param types - whether this Node strips types, and how; Node 22 does on demand only
 */
export function serveCommand(
  config: string,
  more: readonly string[] = [],
  types: typeof process.features.typescript = process.features.typescript,
): AgentCommand {
  const bin = fileURLToPath(new URL('../../../bin/acp-snapshot.js', import.meta.url))
  const strip = types === false ? ['--experimental-strip-types'] : []
  return { command: process.execPath, args: [...strip, bin, 'serve', '--config', config, ...more] }
}
