import fs from 'node:fs'

import type { RunScope } from '../scope.ts'
import { currentScope } from '../scope.ts'
import { aborted, notServed } from './errors.ts'
import { route } from './route.ts'
import { pathless } from './signatures.ts'

type AnyFunction = (this: unknown, ...args: readonly unknown[]) => unknown

/** How the virtual disk is reached for one of the two modules. */
type Face = (scope: RunScope) => object

/** How a call that cannot be made is reported: thrown, given to the callback, or as a rejected promise. */
type Failure = (name: string, args: readonly unknown[], error: Error) => unknown

/**
 * Wraps every function of `fs` and `fs.promises` in place: inside a run, calls on virtual paths and descriptors go to
 * the run's disk. Outside a run nothing changes. The caller syncs the ESM exports afterwards.
 */
export function wrapFs(): void {
  wrapModule(fs, scope => scope.disk, failLikeFs)
  wrapModule(fs.promises, scope => scope.disk.promises, failLikePromises)
}

function wrapModule(module: object, face: Face, fail: Failure): void {
  for (const [name, value] of Object.entries(module)) {
    if (typeof value !== 'function' || /^[A-Z]/.test(name) || pathless.has(name)) continue
    Reflect.set(module, name, wrapFunction(name, value as AnyFunction, face, fail))
  }
}

function wrapFunction(name: string, original: AnyFunction, face: Face, fail: Failure): AnyFunction {
  const wrapped = function (this: unknown, ...args: readonly unknown[]): unknown {
    const scope = currentScope()
    if (scope === undefined) return Reflect.apply(original, this, args)
    const routed = route(name, args, scope)
    if (routed.to === 'fail') return fail(name, args, routed.error)
    if (routed.to === 'real') return Reflect.apply(original, this, routed.args)
    const signal = abortedSignal(name, routed.args)
    if (signal !== undefined) return fail(name, args, aborted(signal))
    const disk = face(scope)
    const virtual: unknown = Reflect.get(disk, name)
    if (typeof virtual !== 'function') return fail(name, args, notServed(name, args))
    return Reflect.apply(virtual as AnyFunction, disk, routed.args)
  }
  // Own properties matter: util.promisify reads symbols of fs.read and fs.exists, and realpath has `native`.
  Object.defineProperties(wrapped, Object.getOwnPropertyDescriptors(original))
  const native: unknown = Reflect.get(original, 'native')
  if (typeof native === 'function') {
    Reflect.set(wrapped, 'native', wrapFunction(name, native as AnyFunction, face, fail))
  }
  return wrapped
}

function failLikeFs(name: string, args: readonly unknown[], error: Error): undefined {
  const callback = args.at(-1)
  if (name.endsWith('Sync') || typeof callback !== 'function') throw error
  process.nextTick(callback, error)
  return undefined
}

function failLikePromises(name: string, _args: readonly unknown[], error: Error): Promise<never> {
  // These two give an iterator: a promise would be iterated over, and its rejection stay unhandled.
  if (name === 'glob' || name === 'watch') throw error
  return Promise.reject(error)
}

const abortable: ReadonlySet<string> = new Set(['readFile', 'writeFile', 'appendFile'])

/** memfs takes no notice of an abort signal, Node's functions refuse to start with one that is aborted. */
function abortedSignal(name: string, args: readonly unknown[]): AbortSignal | undefined {
  if (!abortable.has(name)) return undefined
  for (const argument of args) {
    if (typeof argument !== 'object' || argument === null || !('signal' in argument)) continue
    const { signal } = argument
    if (signal instanceof AbortSignal && signal.aborted) return signal
  }
  return undefined
}
