import { isDeepStrictEqual } from 'node:util'

import { SnapshotError } from '../../errors.ts'

/** What the Loader and the kernel read off a plugin. */
export const pluginKeys = ['name', 'inject', 'Config', 'apply'] as const

/** One of the exports that make a module a plugin. @public */
export type PluginKey = 'name' | 'inject' | 'Config' | 'apply'

/** What a module exports of a plugin, and what is left of it. */
export interface KeptKeys {
  /** What it exports by name. */
  readonly exports: PluginKey[]
  /** What the plugin that the Loader takes has, without what is lost. */
  readonly keeps: PluginKey[]
  /** What it exports by name and the plugin lacks, or has another of. */
  readonly lost: PluginKey[]
}

/**
 * Refuses a module whose default export hides what its named exports say: the Loader takes the default export where
 * there is one, so the plugin would start without the services it asks for.
 */
export function checkPluginShape(module: unknown, entryName: string): void {
  const taken = takenOf(module)
  const { lost } = keptKeys(module, taken)
  if (lost.length === 0) return
  throw new SnapshotError(
    'COMPOSITION_FAILED',
    `the module ${JSON.stringify(entryName)} ${describeLoss(lost, taken)}`,
    { details: { entry: entryName, lost } },
  )
}

/** What the Loader takes of a module: the default export where there is one, and that of a CommonJS build within. */
export function takenOf(module: unknown): unknown {
  const outer = defaultOf(module)
  return isBuild(outer) ? defaultOf(outer) : outer
}

/**
 * Compares what a module exports by name with the plugin that is taken of it.
 *
 * @param taken - what the Loader makes of the module
 */
export function keptKeys(module: unknown, taken: unknown): KeptKeys {
  const exports = pluginKeys.filter(key => exported(module, key) !== undefined)
  const lost = exports.filter(key => !isKept(key, exported(module, key), partOf(taken, key)))
  const keeps = pluginKeys.filter(key => partOf(taken, key) !== undefined && !lost.includes(key))
  return { exports, keeps, lost }
}

/** What a module with such a loss exports, what comes of it, and what to do; to be put behind its name. */
export function describeLoss(lost: readonly PluginKey[], taken: unknown): string {
  const missing = lost.filter(key => partOf(taken, key) === undefined)
  const other = lost.filter(key => partOf(taken, key) !== undefined)
  const found = [
    ...(missing.length === 0 ? [] : [`lacks ${listed(missing)}`]),
    ...(other.length === 0 ? [] : [`has another ${listed(other)}`]),
  ]
  return (
    `exports ${listed(lost)} by name and also a default export that ${found.join(' and ')}. The Loader takes the ` +
    `default export alone, so the plugin would lose ${listed(lost)}. Remove the default export, or put ${listed(lost)} ` +
    'on it.'
  )
}

function listed(keys: readonly PluginKey[]): string {
  return keys.join(', ').replace(/, (\w+)$/, ' and $1')
}

function defaultOf(module: unknown): unknown {
  return (module as { readonly default?: unknown } | null | undefined)?.default ?? module
}

function isBuild(module: unknown): boolean {
  return Boolean((module as { readonly __esModule?: unknown } | null | undefined)?.__esModule)
}

/** What a module exports by this name. Node reads the names of a CommonJS build off its text, and may miss some. */
function exported(module: unknown, key: PluginKey): unknown {
  const outer = defaultOf(module)
  const sources = isBuild(outer) ? [module, outer] : [module]
  const value = sources.map(source => ownPart(source, key)).find(found => found !== undefined)
  return key === 'apply' && typeof value !== 'function' ? undefined : value
}

function ownPart(module: unknown, key: PluginKey): unknown {
  if (typeof module !== 'object' || module === null || !Object.hasOwn(module, key)) return undefined
  return Reflect.get(module, key) ?? undefined
}

/** What the kernel finds on a plugin; a function, such as a class, is what it applies. */
function partOf(taken: unknown, key: PluginKey): unknown {
  if (typeof taken === 'function') return key === 'apply' ? taken : (Reflect.get(taken, key) ?? undefined)
  return typeof taken === 'object' && taken !== null ? (Reflect.get(taken, key) ?? undefined) : undefined
}

function isKept(key: PluginKey, exported: unknown, kept: unknown): boolean {
  switch (key) {
    // A class has a name of its own.
    case 'name':
      return kept !== undefined
    case 'apply':
      return kept === exported
    case 'inject':
    case 'Config':
      return isDeepStrictEqual(kept, exported)
  }
}
