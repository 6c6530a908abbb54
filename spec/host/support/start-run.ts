import { AsyncLocalStorage } from 'node:async_hooks'
import path from 'node:path'

import { onTestFinished } from 'vitest'

import { loadComposition, type CompositionOptions } from '../../../src/host/composition/composition.ts'
import type { RunHost } from '../../../src/host/host.ts'
import { startInProcess, type InProcessOptions } from '../../../src/host/in-process/in-process-host.ts'
import { compositionFolder } from './composition-folder.ts'

/** A run that is going on. */
export interface Run {
  readonly host: RunHost
  /** Calls a function as code of the composition would be called: inside the run. */
  readonly inside: <T>(body: () => T) => T
}

/** What a run of a spec differs in from the usual. */
export type RunOptions = Partial<Omit<InProcessOptions, 'composition'>>

/** Starts a composition; the run ends with the test. */
export async function startComposition(
  composition: CompositionOptions,
  options: RunOptions = {},
): Promise<RunHost> {
  const host = await startInProcess({
    composition: await loadComposition(composition, 'replay'),
    name: 'spec',
    workspace: 'disk',
    env: () => ({}),
    mountTimeoutMs: 10_000,
    disposeTimeoutMs: 10_000,
    ...options,
  })
  onTestFinished(() => host[Symbol.asyncDispose]())
  return host
}

/** Starts a composition of the given plugins alone, on the real kernel. */
export async function startRun(
  options: RunOptions & { readonly plugins?: readonly unknown[] } = {},
): Promise<Run> {
  const { plugins = [], ...rest } = options
  let inside: Run['inside'] | undefined
  const probe = {
    name: 'probe',
    apply: () => {
      inside = AsyncLocalStorage.snapshot()
    },
  }
  const modules = Object.fromEntries([probe, ...plugins].map((plugin, index) => [`spec:${index}`, plugin]))
  const folder = compositionFolder({ 'cordis.yml': rowsOf(Object.keys(modules)) })
  const host = await startComposition({ config: path.join(folder, 'cordis.yml'), modules }, rest)
  if (inside === undefined) throw new Error('the probe was not mounted')
  return { host, inside }
}

/** The rows of a composition file that names these plugins. */
export function rowsOf(names: readonly string[]): string {
  return names
    .map(name => `- id: ${JSON.stringify(name.replace(/\W+/g, '-'))}\n  name: ${JSON.stringify(name)}\n`)
    .join('')
}
