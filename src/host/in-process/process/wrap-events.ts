import { currentScope } from '../scope.ts'

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

/** What a run emits is for its own listeners; what none of them hears (a warning, say) is the process's business. */
function wrapEmit(): void {
  const emit = process.emit.bind(process) as (...args: unknown[]) => boolean
  Reflect.set(process, 'emit', function (name: string | symbol, ...args: unknown[]): boolean {
    const events = currentScope()?.processEvents
    return events !== undefined && events.listenerCount(name) > 0
      ? events.emit(name, ...args)
      : emit(name, ...args)
  })
}
