import path from 'node:path'
import { fileURLToPath } from 'node:url'

import type { RunScope } from '../scope.ts'

/**
 * Where virtual disks are mounted: a folder that no real disk has. A run's own part lies below `<virtualRoot>/<key>`;
 * the disk of a run holds nothing else, so the part of another run does not exist for it.
 */
export const virtualRoot = path.resolve('/.acp-snapshot-virtual')

/** A path argument of an fs function, as code inside a run means it. */
export interface PlacedPath {
  readonly virtual: boolean
  /** What to call the function of that disk with. */
  readonly argument: unknown
}

/**
 * Finds out which disk a path argument is on, and puts the run's working directory before a relative one. Undefined
 * where the argument is no path: the function itself then says what is wrong with it.
 */
export function placePath(argument: unknown, scope: Pick<RunScope, 'cwd'>): PlacedPath | undefined {
  const text = textOf(argument)
  // An empty path means no file; resolved it would name the working directory.
  if (text === undefined || text === '') return undefined
  const absolute = path.resolve(scope.cwd, text)
  if (isVirtual(absolute)) {
    // A trailing separator asks for a directory (mkdtemp takes it as part of a prefix): it must not get lost.
    return { virtual: true, argument: /[\\/]$/.test(text) ? `${absolute}/` : absolute }
  }
  if (path.isAbsolute(text)) return { virtual: false, argument }
  if (isVirtual(scope.cwd)) return { virtual: false, argument: absolute }
  // Not resolved: where `link/..` leads only the disk knows, and bytes need not be text.
  const prefix = scope.cwd + path.sep
  const bytes = argument instanceof Uint8Array
  return { virtual: false, argument: bytes ? Buffer.concat([Buffer.from(prefix), argument]) : prefix + text }
}

function textOf(argument: unknown): string | undefined {
  if (typeof argument === 'string') return argument
  if (argument instanceof Uint8Array) return Buffer.from(argument).toString()
  if (!(argument instanceof URL)) return undefined
  try {
    return fileURLToPath(argument)
  } catch {
    return undefined
  }
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
