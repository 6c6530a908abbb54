import { fileURLToPath, pathToFileURL } from 'node:url'

import { groupRows, type EntryPatch, type EntryRow } from './entries.ts'
import type {
  EntryTree,
  HostPlugins,
  HostWishes,
  Kernel,
  KernelContext,
  KernelEntry,
  TreeClass,
} from './kernel.ts'
import { patchedRows } from './mounted-rows.ts'
import { adaptContext } from './plain-context.ts'
import { readRows } from './read-rows.ts'

/** Rows that are mounted together, as the loader holds them. */
interface PlainGroup {
  readonly tree: PlainTree
  data: EntryRow[]
  create(row: EntryRow): Promise<unknown>
  remove(id: string): void
  update(rows: EntryRow[]): Promise<void>
  stop(): void
}

interface PlainTree extends EntryTree {
  readonly root: PlainGroup
  readonly store: Readonly<Record<string, KernelEntry>>
  ensureId(row: EntryRow): string
}

/** What the packages of the kernel export. */
export interface PlainPackages {
  readonly Context: Kernel['Context']
  readonly Loader: TreeClass
  readonly EntryTree: new (ctx: KernelContext) => PlainTree
  readonly Group: new (ctx: KernelContext, config: never) => PlainGroup
}

interface PlainIncludeConfig {
  readonly path: string
  readonly patches?: readonly EntryPatch[]
}

/** How the kernel marks a plugin whose configuration is rows, which have expressions of their own. */
const groupMark = Symbol.for('cordis.group')
const init = Symbol.for('cordis.init')

/**
 * The kernel of npm's `cordis` with `@cordisjs/plugin-loader`. It has no include in the registry: lists are read here.
 */
export function plainKernel(packages: PlainPackages): Kernel {
  return {
    Context: packages.Context,
    forHost: (ctx, wishes) => {
      adaptContext(ctx, wishes.reconfigure)
      return hostPlugins(packages, wishes)
    },
  }
}

function hostPlugins(packages: PlainPackages, { importEntry, patches, failed }: HostWishes): HostPlugins {
  const importFor = (tree: EntryTree, name: string): unknown => {
    if (/[-/]plugin-include$/.test(name)) return ListInclude
    if (/[-/]plugin-group$/.test(name)) return OrderedGroup
    return importEntry(name, tree.ctx.baseUrl)
  }

  class HostLoader extends packages.Loader {
    override import(name: string, getOuterStack?: () => string[]): unknown {
      return name.startsWith('cordis:') ? super.import(name, getOuterStack) : importFor(this, name)
    }
  }

  class OrderedGroup extends packages.Group {
    override update(rows: EntryRow[]): Promise<void> {
      return updateInOrder(this, rows, failed)
    }
  }

  class ListInclude extends packages.EntryTree {
    static readonly inject = ['loader']
    static readonly [groupMark] = true
    readonly #file: string
    readonly #config: PlainIncludeConfig

    constructor(ctx: KernelContext, config: PlainIncludeConfig) {
      super(ctx)
      this.#config = config
      const url = new URL(config.path, this.ctx.baseUrl)
      this.#file = fileURLToPath(url)
      // The loader provides it as a service, which the kernel's own property of that name hides.
      Object.defineProperty(this.ctx, 'baseUrl', { value: new URL('.', pathToFileURL(this.#file)).href })
    }

    override import(name: string, getOuterStack?: () => string[]): unknown {
      return name.startsWith('cordis:') ? super.import(name, getOuterStack) : importFor(this, name)
    }

    async *[init](): AsyncGenerator<() => void, void, undefined> {
      const all = [...(this.#config.patches ?? []), ...(patches.get(this.#file) ?? [])]
      // They were checked when the composition was loaded.
      const rows = patchedRows(await readRows(this.#file), all) as EntryRow[]
      yield () => this.root.stop()
      await updateInOrder(this.root, ownRows(rows), failed)
    }

    /** The loader asks for it after each change; what was read is never written to. */
    write(): void {
      return undefined
    }
  }

  return { Loader: HostLoader, Include: ListInclude, Group: OrderedGroup }
}

/** Rows that the loader may change: it sorts their keys, gives them ids, and notes what disposed itself. */
function ownRows(rows: readonly EntryRow[]): EntryRow[] {
  return rows.map(row => {
    const inner = groupRows(row)
    return inner === undefined ? { ...row } : { ...row, config: ownRows(inner as EntryRow[]) }
  })
}

/**
 * Mounts rows one after the other, what a group holds before the row after it. The loader itself takes them all at once,
 * those without an id last.
 */
async function updateInOrder(
  group: PlainGroup,
  rows: EntryRow[],
  failed: HostWishes['failed'],
): Promise<void> {
  const byId = new Map(rows.map(row => [group.tree.ensureId(row), row]))
  for (const { id } of [...group.data]) if (!byId.has(String(id))) group.remove(String(id))
  group.data = rows
  for (const [id, row] of byId) {
    await group.create(row).catch((error: unknown) => failed(row, error))
    const fiber = group.tree.store[id]?.fiber
    if (isGroup(fiber?.runtime?.callback)) await fiber?.inertia
  }
}

function isGroup(plugin: unknown): boolean {
  return typeof plugin === 'function' && Reflect.get(plugin, groupMark) === true
}
