import type {
  EntryTree,
  HostPlugins,
  HostWishes,
  Kernel,
  KernelContext,
  KernelFiber,
  TreeClass,
} from './kernel.ts'

/** An include applies its patches to the rows of its file. */
type IncludeClass = new (
  ctx: KernelContext,
  config: never,
) => EntryTree & {
  readonly filename: string
  readonly config: { readonly patches?: readonly unknown[] }
  applyPatches(rows: unknown, patches?: readonly unknown[]): unknown
}

/** What the packages of the kernel export. */
export interface DeepSeekPackages {
  readonly Context: Kernel['Context']
  readonly Loader: TreeClass
  readonly Include: IncludeClass
  readonly Group: unknown
}

/** The kernel of `@deepseek-ai/cordis`, with its own loader and include. */
export function deepSeekKernel(packages: DeepSeekPackages): Kernel {
  return {
    Context: packages.Context,
    forHost: (ctx, wishes) => {
      reconfigureAll(ctx, wishes)
      return hostPlugins(packages, wishes)
    },
  }
}

function reconfigureAll(ctx: KernelContext, { reconfigure }: HostWishes): void {
  ctx.on(
    'internal/config',
    function (this: unknown, _config: unknown, next: () => unknown) {
      const plugin = (this as KernelFiber).runtime?.name
      const config = next()
      return plugin === undefined ? config : reconfigure(plugin, config)
    },
    { global: true, prepend: true },
  )
}

function hostPlugins(packages: DeepSeekPackages, { importEntry, patches }: HostWishes): HostPlugins {
  const importFor = async (tree: EntryTree, name: string): Promise<unknown> => {
    const module = await importEntry(name, tree.ctx.baseUrl)
    return pluginOf(module) === packages.Include ? { default: ReadOnlyInclude } : module
  }

  class HostLoader extends packages.Loader {
    override import(name: string, getOuterStack?: () => string[]): unknown {
      return name.startsWith('cordis:') ? super.import(name, getOuterStack) : importFor(this, name)
    }
  }

  class ReadOnlyInclude extends packages.Include {
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

  return { Loader: HostLoader, Include: ReadOnlyInclude, Group: packages.Group }
}

/** What the Loader takes of a module. */
function pluginOf(module: unknown): unknown {
  if (typeof module !== 'object' || module === null) return module
  return 'default' in module ? module.default : module
}
