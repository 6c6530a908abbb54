import nodeConsole, { Console } from 'node:console'

import { currentScope } from '../scope.ts'

/** The global console, and the one that modules import: a test runner replaces the former. */
const consoles: ReadonlySet<typeof console> = new Set([console, nodeConsole])

/** Gives runs standard streams of their own, and consoles that write to them. */
export function wrapStandardStreams(): void {
  // A console keeps the streams it sees first: let it see the real ones.
  for (const target of consoles) for (const name of ['_stdout', '_stderr']) Reflect.get(target, name)
  for (const name of ['stdin', 'stdout', 'stderr'] as const) {
    const descriptor = Object.getOwnPropertyDescriptor(process, name)
    const real = (): unknown =>
      descriptor?.get === undefined ? descriptor?.value : descriptor.get.call(process)
    Object.defineProperty(process, name, {
      configurable: true,
      enumerable: true,
      get: () => currentScope()?.stdio[name] ?? real(),
    })
  }
  wrapConsole()
}

/** A run's console writes to the run's streams: a stray console.log must show up in the agent's standard output. */
function wrapConsole(): void {
  const own = new WeakMap<object, Console>()
  const consoleOf = (): Console | undefined => {
    const stdio = currentScope()?.stdio
    if (stdio === undefined) return undefined
    let made = own.get(stdio)
    if (made === undefined) own.set(stdio, (made = new Console(stdio.stdout, stdio.stderr)))
    return made
  }
  for (const target of consoles) {
    for (const [name, original] of Object.entries(target)) {
      if (typeof original !== 'function' || name === 'Console') continue
      Reflect.set(target, name, function (this: unknown, ...args: unknown[]): unknown {
        const scoped = consoleOf()
        // The inspector adds functions to the global console that no other has.
        const own: unknown = scoped === undefined ? undefined : Reflect.get(scoped, name)
        const call = (typeof own === 'function' ? own : original) as (...args: unknown[]) => unknown
        return Reflect.apply(call, call === original ? this : scoped, args)
      })
    }
  }
}
