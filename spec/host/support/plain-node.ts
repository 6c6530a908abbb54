import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'

import { onTestFinished } from 'vitest'

import { compositionFolder } from './composition-folder.ts'

/** URL of a module of the sources, for a script to import. */
export function sourceUrl(file: string): string {
  return pathToFileURL(path.join(import.meta.dirname, '../../../src', file)).href
}

/** A script in a process of its own, by Node alone: nothing transforms the sources there. */
export function startScript(
  script: string,
  options: { readonly env?: NodeJS.ProcessEnv; readonly cwd?: string } = {},
): ChildProcess & { readonly output: Promise<string>; readonly errors: Promise<string> } {
  const folder = compositionFolder({ 'script.ts': script })
  const child = spawn(process.execPath, ['--no-warnings', path.join(folder, 'script.ts')], {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return Object.assign(child, { output: text(child.stdout), errors: text(child.stderr) })
}

/** What a script prints, as JSON; its standard error where it fails. */
export async function runScript(
  script: string,
  options: Parameters<typeof startScript>[1] = {},
): Promise<unknown> {
  const child = startScript(script, options)
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`exit code ${code}: ${await child.errors}`)
  return JSON.parse(await child.output)
}
