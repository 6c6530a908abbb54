import type { RunScope } from '../scope.ts'
import { crossDevice, notServed } from './errors.ts'
import { routeGlob } from './route-glob.ts'
import { fsSignatures, streamFactories, type FsSignature } from './signatures.ts'
import { isVirtualDescriptor, placePath } from './virtual-path.ts'

/** What becomes of one call of an fs function inside a run. */
export type Route =
  | { readonly to: 'real' | 'virtual'; readonly args: readonly unknown[] }
  | { readonly to: 'fail'; readonly error: Error }

const unlisted: FsSignature = { paths: [0, 1], routed: false }

const streams: FsSignature = { paths: [0], routed: true }

/** A symlink's target is text, kept as it is: only where the link lies says which disk it is on. */
const symlinkPaths = [1]

/**
 * Decides where a call goes and with which arguments: relative paths get the run's working directory before them,
 * since the real functions would resolve them against the real one.
 *
 * @param name - the function's name in `node:fs` or `node:fs/promises`
 */
export function route(name: string, args: readonly unknown[], scope: Pick<RunScope, 'cwd'>): Route {
  const base = name.replace(/Sync$/, '')
  if (base === 'glob') return routeGlob(name, args, scope)
  const listed = streamFactories.has(base) ? streams : fsSignatures.get(base)
  const signature = listed ?? unlisted
  if (signature.descriptor === true && isVirtualHandle(args[0])) return { to: 'virtual', args }

  const positions = base === 'symlink' ? symlinkPaths : signature.paths
  const resolved = [...args]
  let virtual = 0
  let real = 0
  for (const position of positions) {
    const placed = placePath(args[position], scope)
    if (placed === undefined) continue
    if (placed.virtual) virtual += 1
    else real += 1
    if (listed !== undefined) resolved[position] = placed.argument
  }
  if (virtual === 0) return { to: 'real', args: resolved }
  if (!signature.routed) return { to: 'fail', error: notServed(name, args) }
  if (real > 0) return { to: 'fail', error: crossDevice(base, resolved) }
  if (listed === streams) return { to: 'real', args: resolved }
  return { to: 'virtual', args: resolved }
}

function isVirtualHandle(argument: unknown): boolean {
  if (typeof argument === 'object' && argument !== null && 'fd' in argument)
    return isVirtualDescriptor(argument.fd)
  return isVirtualDescriptor(argument)
}
