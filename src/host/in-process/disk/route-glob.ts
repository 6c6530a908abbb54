import path from 'node:path'

import type { RunScope } from '../scope.ts'
import { notServed } from './errors.ts'
import type { Route } from './route.ts'
import { isVirtual, placePath } from './virtual-path.ts'

/**
 * A glob walks the disk by itself, from the working directory of the process where it is given none, and with
 * functions that it may have taken before they were wrapped: it must be told where, and which disk.
 */
export function routeGlob(name: string, args: readonly unknown[], scope: Pick<RunScope, 'cwd'>): Route {
  const [patterns, second, ...rest] = args
  const options = typeof second === 'object' && second !== null ? second : undefined
  const given: unknown = options === undefined ? undefined : Reflect.get(options, 'cwd')
  const folder = placePath(given ?? scope.cwd, scope) ?? {
    virtual: isVirtual(scope.cwd),
    argument: scope.cwd,
  }
  const disks = new Set(
    [patterns].flat().map(pattern => {
      const absolute = typeof pattern === 'string' && path.isAbsolute(pattern)
      return absolute ? isVirtual(path.resolve(pattern)) : folder.virtual
    }),
  )
  if (disks.size > 1) return { to: 'fail', error: notServed(name, args) }
  return {
    to: disks.has(true) ? 'virtual' : 'real',
    args: [
      patterns,
      { ...options, cwd: folder.argument },
      ...(options === undefined && second !== undefined ? [second] : []),
      ...rest,
    ],
  }
}
