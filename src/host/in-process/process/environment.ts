import fs from 'node:fs'
import { parseEnv } from 'node:util'

import { currentScope } from '../scope.ts'

/**
 * Replaces `process.env` by a view that shows a run its own environment and everything else the real one. It stays
 * there where code assigns another object to `process.env`: then that object is what it shows, to that run or, outside
 * of every run, as the real one.
 */
export function wrapEnvironment(): void {
  const original = process.env
  let real = original
  const current = (): Record<string, string | undefined> => currentScope()?.env ?? real
  // The proxy's target stays empty, so that no invariant ties a run's view to it.
  const view = new Proxy<Record<string, string | undefined>>(
    {},
    {
      get: (_target, key) => Reflect.get(current(), key) as unknown,
      has: (_target, key) => Reflect.has(current(), key),
      ownKeys: () => Reflect.ownKeys(current()),
      deleteProperty: (_target, key) => Reflect.deleteProperty(current(), key),
      getOwnPropertyDescriptor: (_target, key) => {
        const descriptor = Reflect.getOwnPropertyDescriptor(current(), key)
        return descriptor && { ...descriptor, configurable: true }
      },
      set: (_target, key, value: unknown) => {
        const scope = currentScope()
        // The real environment turns values into strings, so a run's does as well.
        return scope === undefined
          ? Reflect.set(real, key, value)
          : Reflect.set(scope.env, key, String(value))
      },
      defineProperty: (_target, key, descriptor) => {
        const scope = currentScope()
        return scope === undefined
          ? Reflect.defineProperty(real, key, descriptor)
          : Reflect.defineProperty(scope.env, key, { ...descriptor, value: String(descriptor.value) })
      },
    },
  )
  const replace = (value: NodeJS.ProcessEnv): void => {
    const scope = currentScope()
    if (scope === undefined) {
      // Who puts back what was there before has the view.
      real = value === view ? original : value
      return
    }
    const entries = Object.entries(value).map(([name, text]) => [name, String(text)] as const)
    for (const name of Object.keys(scope.env)) Reflect.deleteProperty(scope.env, name)
    Object.assign(scope.env, Object.fromEntries(entries))
  }
  Object.defineProperty(process, 'env', {
    get: () => view,
    set: replace,
    enumerable: true,
    configurable: true,
  })
}

/** Lets `process.loadEnvFile` read the run's file into the run's environment. */
export function wrapEnvironmentFile(): void {
  const load = process.loadEnvFile.bind(process)
  process.loadEnvFile = (file = '.env') => {
    const scope = currentScope()
    if (scope === undefined) {
      load(file)
      return
    }
    // As Node does: what is set already stays.
    for (const [name, value] of Object.entries(parseEnv(fs.readFileSync(file, 'utf8'))))
      scope.env[name] ??= value
  }
}
