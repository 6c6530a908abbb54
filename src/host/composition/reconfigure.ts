import type { RunFolders } from '../folders/run-folders.ts'
import type { Reconfigure } from './kernel.ts'

/** A fixed part of a plugin's configuration, and one that only fills in what the composition leaves open. */
interface Adjustment {
  readonly set?: () => Readonly<Record<string, unknown>>
  readonly fill?: Readonly<Record<string, unknown>>
}

/**
 * What a run hands to plugins through their configuration, by plugin name: the transport to the ACP bridge, plain logs
 * in the run's own place to the persistence, and the run's folders to plugins that would otherwise take the working
 * directory of the moment they were imported.
 *
 * @param openStream - gives the SDK's message stream over the agent's ends of standard input and output; absent where the
 *   process's own are meant
 */
export function runConfiguration(
  folders: Pick<RunFolders, 'cwd' | 'sessions' | 'spill'>,
  openStream?: () => unknown,
): Reconfigure {
  const adjustments: Readonly<Record<string, Adjustment>> = {
    ...(openStream === undefined ? {} : { acp: { set: () => ({ stream: openStream() }) } }),
    JsonlSessionPersistence: { set: () => ({ root: folders.sessions, compression: 'none' }) },
    LocalFileSystem: { fill: { cwd: folders.cwd } },
    SandboxedFileSystem: { fill: { cwd: folders.cwd } },
    LocalSpillStore: { fill: { root: folders.spill } },
  }
  return (plugin, config) => {
    const adjustment = Object.hasOwn(adjustments, plugin) ? adjustments[plugin] : undefined
    if (adjustment === undefined) return config
    const given = typeof config === 'object' && config !== null ? withoutUndefined(config) : {}
    return { ...adjustment.fill, ...given, ...adjustment.set?.() }
  }
}

/** A `!!js` expression that finds no value leaves its key undefined: that is a key left open. */
function withoutUndefined(config: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined))
}
