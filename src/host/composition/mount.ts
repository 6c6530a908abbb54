import { pathToFileURL } from 'node:url'

import { SnapshotError } from '../../errors.ts'
import { settledSoon, withDeadline } from '../deadline.ts'
import type { Composition } from './composition.ts'
import { inactiveEntries, reportInactive } from './entry-state.ts'
import type { HostPlugins, ImportEntry, Kernel, KernelContext, Reconfigure } from './kernel.ts'

/** What {@link mount} needs beside the composition. */
export interface MountOptions {
  readonly importEntry: ImportEntry
  readonly reconfigure: Reconfigure
  /** Called with the bare context, before anything is mounted in it. */
  readonly prepare: (ctx: KernelContext) => void
  /** Called once everything is active. */
  readonly mounted: (ctx: KernelContext) => void
  readonly deadlineMs: number
  /** Ends the wait for the composition. */
  readonly signal: AbortSignal | undefined
}

/** A composition with every enabled entry active. */
export interface Mounted {
  readonly ctx: KernelContext
  /** Errors that the kernel logged so far. */
  readonly logged: readonly string[]
}

/**
 * Mounts a composition with the real Loader and checks that every enabled entry became active. On failure everything
 * that was mounted is disposed again.
 */
export async function mount(
  kernel: Kernel,
  composition: Composition,
  options: MountOptions,
): Promise<Mounted> {
  const errors = { imports: new Map<string, unknown>(), rows: new Map<object, unknown>() }
  const importEntry: ImportEntry = async (name, from) => {
    try {
      return await options.importEntry(name, from)
    } catch (error) {
      errors.imports.set(name, error)
      throw error
    }
  }
  const ctx = new kernel.Context()
  const logged: string[] = []
  ctx.baseUrl = composition.folderUrl
  // Put in directly: an exporter that is registered goes first when the context is disposed, and errors of the rest with it.
  ctx.logger.exporters.set(0, {
    export: message => {
      if (message.type === 'error') logged.push(message.args.map(describeArgument).join(' '))
    },
  })
  const plugins = kernel.forHost(ctx, {
    importEntry,
    patches: composition.patches,
    reconfigure: options.reconfigure,
    failed: (row, error) => errors.rows.set(row, error),
  })
  options.prepare(ctx)
  try {
    await withDeadline(
      load(ctx, plugins, composition),
      options.deadlineMs,
      () =>
        `${composition.file}: ${reportInactive(inactiveEntries(ctx.loader, errors), 'is still starting')}`,
      options.signal,
    )
    const inactive = inactiveEntries(ctx.loader, errors)
    if (inactive.length > 0) {
      const [first] = inactive
      throw new SnapshotError(
        'COMPOSITION_FAILED',
        `${composition.file}: ${reportInactive(inactive, 'did not start')}`,
        {
          cause: first?.cause,
          details: { file: composition.file, entries: inactive.map(entry => entry.name) },
        },
      )
    }
    options.mounted(ctx)
    return { ctx, logged }
  } catch (error) {
    await giveUp(ctx)
    throw error
  }
}

async function load(
  ctx: KernelContext,
  { Loader, Include, Group }: HostPlugins,
  composition: Composition,
): Promise<void> {
  await ctx.plugin(Loader)
  ctx.loader.builtins.include = Include
  ctx.loader.builtins.group = Group
  const url = pathToFileURL(composition.file).href
  await ctx.loader.create({
    name: 'cordis:include',
    config: { path: `./${url.slice(composition.folderUrl.length)}` },
  })
  await ctx.loader.await()
}

/** Disposes what has been mounted. */
async function giveUp(ctx: KernelContext): Promise<void> {
  await settledSoon(Promise.resolve(ctx.fiber.dispose()))
}

function describeArgument(argument: unknown): string {
  return argument instanceof Error ? argument.message : String(argument)
}
