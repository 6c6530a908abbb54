import { SnapshotError } from '../../errors.ts'

/** What the Loader reads off a plugin. */
const pluginKeys = ['inject', 'Config'] as const

/**
 * Refuses a module whose default export hides what its named exports say: the Loader takes the default export where
 * there is one, so the plugin would start without the services it asks for.
 */
export function checkPluginShape(module: unknown, entryName: string): void {
  if (typeof module !== 'object' || module === null || !('default' in module)) return
  const taken: unknown = module.default
  if (taken === null || (typeof taken !== 'function' && typeof taken !== 'object')) return
  const lost = pluginKeys.filter(
    key => Reflect.get(module, key) !== undefined && Reflect.get(taken, key) === undefined,
  )
  if (lost.length === 0) return
  throw new SnapshotError(
    'COMPOSITION_FAILED',
    `the module ${JSON.stringify(entryName)} exports ${lost.join(', ')} by name and also a default export that lacks ` +
      `${lost.length === 1 ? 'it' : 'them'}. The Loader takes the default export alone, so the plugin would lose ` +
      `${lost.join(' and ')}. Remove the default export, or put ${lost.join(' and ')} on it.`,
    { details: { entry: entryName, lost } },
  )
}
