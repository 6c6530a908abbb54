import { currentScope, slot } from '../scope.ts'

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
  'eventNames',
  'getMaxListeners',
  'setMaxListeners',
] as const

/** Listeners of a run hang on the run, so that they go with it and thousands of runs leave none behind. */
export function wrapEvents(): void {
  for (const name of eventMethods) {
    const original = Reflect.get(process, name) as (...args: unknown[]) => unknown
    Reflect.set(process, name, function (this: unknown, ...args: unknown[]): unknown {
      const events = currentScope()?.processEvents
      if (events === undefined) return Reflect.apply(original, this, args)
      const result = Reflect.apply(Reflect.get(events, name) as (...args: unknown[]) => unknown, events, args)
      return result === events ? this : result
    })
  }
  wrapEmit()
}

/** What Node emits for an error that nothing handled; a process that does not listen ends. */
const crashes: ReadonlySet<string | symbol> = new Set(['uncaughtException', 'unhandledRejection'])

/**
 * What is emitted in a run is for its own listeners; what none of them hears (a warning, say) is the process's business,
 * but for an error that would have ended the agent.
 */
function wrapEmit(): void {
  const emit = process.emit.bind(process) as (...args: unknown[]) => boolean
  Reflect.set(process, 'emit', function (name: string | symbol, ...args: unknown[]): boolean {
    const scope = currentScope()
    // A run that is over can't fail any more: its late errors are the process's.
    if (scope === undefined || !slot.live.has(scope)) return emit(name, ...args)
    if (scope.processEvents.listenerCount(name) > 0) return scope.processEvents.emit(name, ...args)
    if (!crashes.has(name)) return emit(name, ...args)
    scope.crash(String(name), args[0])
    return true
  })
}
