/**
 * The part of Cordis that a host needs, by structure: the kernel itself comes from the composition's own folder, so
 * that there is never a second copy of it.
 */
export interface KernelContext {
  baseUrl?: string | undefined
  readonly fiber: KernelFiber
  readonly loader: KernelLoader
  /** Its exporters by number; the kernel counts its own up from 1. */
  readonly logger: { readonly exporters: Map<number, { export(message: LogMessage): void }> }
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
  readonly runtime?: { readonly name?: string } | null
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

/** A tree of entries knows where the file lies that names its modules. */
type TreeContext = KernelContext & { readonly baseUrl: string }

type TreeClass = new (
  ctx: KernelContext,
  config: unknown,
) => {
  readonly ctx: TreeContext
  import(name: string, getOuterStack?: () => string[]): unknown
}

/** An include applies its patches to the rows of its file. */
type IncludeClass = new (
  ctx: KernelContext,
  config: unknown,
) => InstanceType<TreeClass> & {
  readonly filename: string
  readonly config: { readonly patches?: readonly unknown[] }
  applyPatches(rows: unknown, patches?: readonly unknown[]): unknown
}

/** What the kernel's packages export. */
export interface Kernel {
  readonly Context: new () => KernelContext
  readonly Loader: TreeClass
  readonly Include: IncludeClass
  readonly Group: unknown
}

/** The packages that make a kernel. */
export const kernelPackages = {
  core: '@deepseek-ai/cordis',
  loader: '@deepseek-ai/cordis-plugin-loader',
  include: '@deepseek-ai/cordis-plugin-include',
} as const

/**
 * The kernel's loader and include, changed in three ways: modules are imported by the host (which memoises them and may
 * put its own in), a file's rows get the patches that the host has for them, and a configuration file is never written
 * to. All hold for includes at any depth, however they are named.
 *
 * @param patches - by absolute path of the file
 */
export function hostKernel(
  kernel: Kernel,
  importEntry: ImportEntry,
  patches: ReadonlyMap<string, readonly unknown[]>,
): { Loader: TreeClass; Include: TreeClass } {
  const importFor = async (tree: { readonly ctx: TreeContext }, name: string): Promise<unknown> => {
    const module = await importEntry(name, tree.ctx.baseUrl)
    return pluginOf(module) === kernel.Include ? { default: ReadOnlyInclude } : module
  }

  class HostLoader extends kernel.Loader {
    override import(name: string, getOuterStack?: () => string[]): unknown {
      return name.startsWith('cordis:') ? super.import(name, getOuterStack) : importFor(this, name)
    }
  }

  class ReadOnlyInclude extends kernel.Include {
    override import(name: string, getOuterStack?: () => string[]): unknown {
      return name.startsWith('cordis:') ? super.import(name, getOuterStack) : importFor(this, name)
    }
    override applyPatches(rows: unknown, own = this.config.patches): unknown {
      const all = [own, patches.get(this.filename)].flatMap(list => list ?? [])
      return super.applyPatches(rows, all)
    }
    // Cordis writes the tree back, patches and all, whenever a plugin disposes itself.
    writeFile(): void {
      return undefined
    }
    // It also writes what a missing file starts with.
    _writeFile(): Promise<void> {
      return Promise.resolve()
    }
  }

  return { Loader: HostLoader, Include: ReadOnlyInclude }
}

/** What the Loader takes of a module. */
function pluginOf(module: unknown): unknown {
  if (typeof module !== 'object' || module === null) return module
  return 'default' in module ? module.default : module
}
