import type { EntryPatch } from './entries.ts'

/**
 * The part of Cordis that a host needs, by structure: the kernel itself comes from the composition's own folder, so
 * that there is never a second copy of it.
 */
export interface KernelContext {
  baseUrl?: string | undefined
  readonly fiber: KernelFiber
  readonly loader: KernelLoader
  /** Its exporters by number; the kernel counts its own up from 1. */
  readonly logger: {
    readonly exporters: Map<number, { export(message: LogMessage): void }>
    error(...args: unknown[]): void
  }
  plugin(plugin: unknown, config?: unknown): PromiseLike<unknown>
  on(
    event: string,
    listener: (this: unknown, ...args: never[]) => unknown,
    options?: ListenerOptions,
  ): () => unknown
  get(service: string): unknown
}

/** How a listener is registered. */
export interface ListenerOptions {
  readonly global?: boolean
  readonly prepend?: boolean
}

/** One line of the kernel's log. */
export interface LogMessage {
  readonly type: string
  readonly name: string
  readonly args: readonly unknown[]
}

/** A mounted plugin. */
export interface KernelFiber {
  readonly state: number
  readonly inject: Readonly<Record<string, unknown>>
  readonly runtime?: { readonly name?: string; readonly callback?: unknown } | null
  /** What goes on in it; undefined while nothing does. */
  readonly inertia?: Promise<unknown> | undefined
  readonly ctx: KernelContext
  await(): Promise<unknown>
  dispose(): unknown
}

/** The states of a fiber, as Cordis 4 numbers them. */
export const fiberStates = ['waiting', 'loading', 'active', 'failed', 'disposed', 'unloading'] as const

/** A row of the composition, as the Loader holds it. */
export interface KernelEntry {
  readonly id: string
  readonly options: { readonly name: string; readonly group?: unknown }
  readonly disabled: boolean
  readonly fiber?: KernelFiber
  readonly subtree?: unknown
}

/** The Loader service. */
export interface KernelLoader {
  readonly builtins: Record<string, unknown>
  create(options: { readonly name: string; readonly config?: unknown }): Promise<unknown>
  await(): Promise<unknown>
  entries(): Iterable<KernelEntry>
}

/** Imports a module by its name in an entry; `from` is the URL of the folder whose configuration names it. */
export type ImportEntry = (name: string, from: string) => Promise<unknown>

/** Changes what a plugin is configured with; gets the plugin's name and its configuration as the file gives it. */
export type Reconfigure = (plugin: string, config: unknown) => unknown

/** What a host wants of the kernel that it mounts a composition on. */
export interface HostWishes {
  readonly importEntry: ImportEntry
  /** For the rows of a file, by its absolute path. */
  readonly patches: ReadonlyMap<string, readonly EntryPatch[]>
  readonly reconfigure: Reconfigure
  /** Told of a row that could not be started, where the kernel itself keeps no note of it. */
  readonly failed: (row: KernelEntry['options'], error: unknown) => void
}

/**
 * The Loader and its builtin plugins as a host has them: modules are imported by the host (which memoises them and may
 * put its own in), a file's rows get the patches that the host has for them, and a configuration file is never written
 * to. All hold for includes at any depth, however they are named.
 */
export interface HostPlugins {
  readonly Loader: unknown
  readonly Include: unknown
  readonly Group: unknown
}

/** A kernel, and what a host does differently on each. */
export interface Kernel {
  readonly Context: new () => KernelContext
  /** Prepares a bare context, and gives what is to be mounted in it. */
  forHost(ctx: KernelContext, wishes: HostWishes): HostPlugins
}

/** A tree of entries knows where the file lies that names its modules. */
export type TreeContext = KernelContext & { readonly baseUrl: string }

/** A tree of entries: the Loader itself, or a file that is included. */
export interface EntryTree {
  readonly ctx: TreeContext
  import(name: string, getOuterStack?: () => string[]): unknown
}

/** The class of a tree. */
export type TreeClass = new (ctx: KernelContext, config: never) => EntryTree
