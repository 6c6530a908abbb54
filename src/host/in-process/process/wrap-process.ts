import { Console } from 'node:console'
import os from 'node:os'

import { SnapshotError } from '../../../errors.ts'
import { currentScope } from '../scope.ts'
import { wrapEnvironment } from './environment.ts'
import { sharedTemp } from './real-root.ts'

/** Gives runs their own environment, working directory, home, standard streams, process events and exit. */
export function wrapProcess(): void {
  wrapEnvironment()
  wrapDirectories()
  wrapStandardStreams()
  wrapEvents()
  wrapExit()
}

function wrapDirectories(): void {
  const cwd = process.cwd.bind(process)
  const chdir = process.chdir.bind(process)
  process.cwd = () => currentScope()?.cwd ?? cwd()
  process.chdir = directory => {
    if (currentScope() === undefined) {
      chdir(directory)
      return
    }
    throw new SnapshotError(
      'ISOLATION',
      `process.chdir(${JSON.stringify(directory)}) was called inside a run. The working directory belongs to the whole ` +
        `process, which other runs share: pass the directory on to what needs it instead.`,
    )
  }
  const { homedir, tmpdir, userInfo } = os
  os.homedir = () => currentScope()?.home ?? homedir()
  os.tmpdir = () => (currentScope() === undefined ? tmpdir() : sharedTemp())
  os.userInfo = ((options?: os.UserInfoOptionsWithStringEncoding) => {
    const info = userInfo(options)
    const scope = currentScope()
    return scope === undefined ? info : { ...info, username: 'user', homedir: scope.home }
  }) as typeof os.userInfo
}

function wrapStandardStreams(): void {
  // The global console keeps the streams it sees first: let it see the real ones.
  for (const name of ['_stdout', '_stderr']) Reflect.get(console, name)
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
  for (const [name, original] of Object.entries(console)) {
    if (typeof original !== 'function' || name === 'Console') continue
    Reflect.set(console, name, function (this: unknown, ...args: unknown[]): unknown {
      const scoped = consoleOf()
      const target: unknown = scoped === undefined ? original : Reflect.get(scoped, name)
      return Reflect.apply(target as (...args: unknown[]) => unknown, scoped ?? this, args)
    })
  }
}

const eventMethods = [
  'on',
  'once',
  'off',
  'addListener',
  'removeListener',
  'prependListener',
  'prependOnceListener',
  'removeAllListeners',
  'listeners',
  'rawListeners',
  'listenerCount',
] as const

/** Listeners of a run hang on the run, so that they go with it and thousands of runs leave none behind. */
function wrapEvents(): void {
  for (const name of eventMethods) {
    const original = Reflect.get(process, name) as (...args: unknown[]) => unknown
    Reflect.set(process, name, function (this: unknown, ...args: unknown[]): unknown {
      const events = currentScope()?.processEvents
      if (events === undefined) return Reflect.apply(original, this, args)
      const result = Reflect.apply(Reflect.get(events, name) as (...args: unknown[]) => unknown, events, args)
      return result === events ? this : result
    })
  }
}

function wrapExit(): void {
  const exit = process.exit.bind(process)
  process.exit = (code?: number | string | null): never => {
    const scope = currentScope()
    if (scope === undefined) return exit(code)
    const status = code === undefined || code === null ? undefined : Number(code)
    scope.exit(status)
    throw new SnapshotError(
      'ISOLATION',
      `process.exit(${String(code ?? '')}) was called inside a run: the agent would have ended here.`,
      { details: { exitCode: status } },
    )
  }
}
