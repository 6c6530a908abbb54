import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

import { resolve as resolveModule } from 'import-meta-resolve'

import { SnapshotError } from '../../errors.ts'
import { slot } from '../in-process/scope.ts'

const resolved = new Map<string, string>()
const imported = new Map<string, Promise<unknown>>()

/**
 * The URL of a module, found from a folder as Node finds it. Memoised: under a test runner that is the slow part of
 * a repeated import.
 *
 * @param specifier - a package, a path that begins with a dot, an absolute path or a URL
 * @param from - file URL of a folder, with a trailing slash
 */
export function resolveFrom(specifier: string, from: string): string {
  const key = `${from}\n${specifier}`
  let url = resolved.get(key)
  if (url === undefined) {
    url = resolveModule(path.isAbsolute(specifier) ? pathToFileURL(specifier).href : specifier, from)
    resolved.set(key, url)
  }
  return url
}

/**
 * Imports a module outside of any run: what a module remembers from its import (a working directory, say) must not be
 * that of the run which happened to need it first. A module that is there is given in the same turn: a test runner's own
 * import asks another thread each time, and entries would start in whatever order it answers.
 */
export async function importFrom(specifier: string, from: string): Promise<unknown> {
  const url = resolveFrom(specifier, from)
  let module = imported.get(url)
  if (module === undefined) {
    module = slot.scopes.exit(() => importUrl(url))
    imported.set(url, module)
  }
  return await module
}

async function importUrl(url: string): Promise<unknown> {
  try {
    return (await import(/* @vite-ignore */ url)) as unknown
  } catch (error) {
    imported.delete(url)
    throw error
  }
}

/** As {@link importFrom}, with an error that says who named the module and where it was looked for. */
export async function importNamed(specifier: string, from: string, namedIn: string): Promise<unknown> {
  try {
    return await importFrom(specifier, from)
  } catch (cause) {
    throw new SnapshotError(
      'COMPOSITION_FAILED',
      `${namedIn} names the module ${JSON.stringify(specifier)}, which could not be imported from ` +
        `${from.startsWith('file:') ? fileURLToPath(from) : from}: ${cause instanceof Error ? cause.message : String(cause)}. ` +
        `Check the name and that the package is installed there.`,
      { cause, details: { specifier, from } },
    )
  }
}
