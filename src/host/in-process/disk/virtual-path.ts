import path from 'node:path'
import { fileURLToPath } from 'node:url'

import type { RunScope } from '../scope.ts'

/**
 * Where virtual disks are mounted: a folder that no real disk has. A run's own part lies below `<virtualRoot>/<key>`;
 * the disk of a run holds nothing else, so the part of another run does not exist for it.
 */
export const virtualRoot = path.resolve('/.acp-snapshot-virtual')

/** The absolute path that a path argument of an fs function means inside a run; undefined where it is no path. */
export function absolutePath(argument: unknown, scope: RunScope): string | undefined {
  // An empty path means no file; resolved it would name the working directory.
  if (argument === '') return undefined
  if (typeof argument === 'string') return path.resolve(scope.cwd, argument)
  if (argument instanceof URL) return argument.protocol === 'file:' ? fileURLToPath(argument) : undefined
  if (Buffer.isBuffer(argument)) return path.resolve(scope.cwd, argument.toString())
  return undefined
}

/** Whether an absolute path is served by the virtual disk. */
export function isVirtual(absolute: string): boolean {
  return absolute === virtualRoot || absolute.startsWith(virtualRoot + path.sep)
}

/** The first descriptor that memfs hands out; it counts down from here, the system's own count up from 0. */
const firstVirtualDescriptor = 0x7fffffff

/** How many descriptors are taken to be virtual: far more than a system lets a process open. */
const virtualDescriptors = 0x1000_0000

/** Whether a file descriptor belongs to a virtual disk. */
export function isVirtualDescriptor(descriptor: unknown): boolean {
  return (
    typeof descriptor === 'number' &&
    descriptor <= firstVirtualDescriptor &&
    descriptor > firstVirtualDescriptor - virtualDescriptors
  )
}
