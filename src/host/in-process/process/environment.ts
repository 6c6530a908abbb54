import { currentScope } from '../scope.ts'

/** What a run inherits from the real environment: what programs need to start, and nothing that identifies a user. */
const inherited = [
  'PATH',
  'Path',
  'PATHEXT',
  'SystemRoot',
  'windir',
  'ComSpec',
  'NUMBER_OF_PROCESSORS',
  'LD_LIBRARY_PATH',
]

/** The same on every machine, since programs that a tool runs print in them. */
const fixed = { LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', TZ: 'UTC', TERM: 'dumb' }

/**
 * The environment that a run starts with: an allow-list of the real one, fixed locale and time zone, then the values
 * given, which win.
 */
export function runEnvironment(
  real: Readonly<Record<string, string | undefined>>,
  values: Readonly<Record<string, string>>,
): Record<string, string | undefined> {
  const kept: Record<string, string> = {}
  for (const name of inherited) {
    const value = real[name]
    if (value !== undefined) kept[name] = value
  }
  return { ...kept, ...fixed, ...values }
}

/** Replaces `process.env` by a view that shows a run its own environment and everything else the real one. */
export function wrapEnvironment(): void {
  const real = process.env
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
      defineProperty: (_target, key, descriptor) => Reflect.defineProperty(current(), key, descriptor),
    },
  )
  Object.defineProperty(process, 'env', { value: view, writable: true, enumerable: true, configurable: true })
}
