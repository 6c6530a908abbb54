import { SnapshotError } from '../../../errors.ts'
import type { RunScope } from '../scope.ts'
import { fsSignatures, streamFactories, type FsSignature } from './signatures.ts'
import { absolutePath, isVirtual, isVirtualDescriptor } from './virtual-path.ts'

/** What becomes of one call of an fs function inside a run. */
export type Route =
  | { readonly to: 'real' | 'virtual'; readonly args: readonly unknown[] }
  | { readonly to: 'fail'; readonly error: Error }

const unlisted: FsSignature = { paths: [0, 1], routed: false }

/** A symlink's target is text, kept as it is: only where the link lies says which disk it is on. */
const symlinkPaths = [1]

/**
 * Decides where a call goes and with which arguments: relative paths become absolute against the run's working
 * directory, since the real functions would resolve them against the real one.
 *
 * @param name - the function's name in `node:fs` or `node:fs/promises`
 */
export function route(name: string, args: readonly unknown[], scope: RunScope): Route {
  const base = name.replace(/Sync$/, '')
  const signature = streamFactories.has(base)
    ? { paths: [0], routed: true }
    : (fsSignatures.get(base) ?? unlisted)
  if (signature.descriptor === true && isVirtualHandle(args[0])) return { to: 'virtual', args }

  const positions = base === 'symlink' ? symlinkPaths : signature.paths
  const resolved = [...args]
  let virtual = 0
  let real = 0
  for (const position of positions) {
    const absolute = absolutePath(args[position], scope)
    if (absolute === undefined) continue
    if (isVirtual(absolute)) virtual += 1
    else real += 1
    // A trailing separator asks for a directory (mkdtemp takes it as part of a prefix): it must not get lost.
    if (signature.routed) resolved[position] = endsWithSeparator(args[position]) ? `${absolute}/` : absolute
  }
  if (virtual === 0) return { to: 'real', args: resolved }
  if (!signature.routed) return { to: 'fail', error: notServed(name, args) }
  if (real > 0) return { to: 'fail', error: crossDevice(base, resolved) }
  if (streamFactories.has(base)) return { to: 'real', args: resolved }
  return { to: 'virtual', args: resolved }
}

function isVirtualHandle(argument: unknown): boolean {
  if (typeof argument === 'object' && argument !== null && 'fd' in argument)
    return isVirtualDescriptor(argument.fd)
  return isVirtualDescriptor(argument)
}

function endsWithSeparator(argument: unknown): boolean {
  return typeof argument === 'string' && argument.length > 1 && /[\\/]$/.test(argument)
}

/** The error of a function that the virtual disk does not have: it must not fall through to the real one. */
export function notServed(name: string, args: readonly unknown[]): Error {
  return new SnapshotError(
    'ISOLATION',
    `fs.${name}(${JSON.stringify(args[0])}) was called on a path of the run's virtual disk, which has no such function. ` +
      `Use another function of node:fs, or keep the file in the run's working directory with workspace: 'disk'.`,
    { details: { function: name } },
  )
}

function crossDevice(syscall: string, args: readonly unknown[]): Error {
  const error: NodeJS.ErrnoException = new Error(
    `EXDEV: cross-device link not permitted, ${syscall} '${String(args[0])}' -> '${String(args[1])}' ` +
      `(one lies on the run's virtual disk, the other on the real one)`,
  )
  error.code = 'EXDEV'
  error.syscall = syscall
  return error
}
