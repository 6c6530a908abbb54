import { constants } from 'node:os'

import { SnapshotError } from '../../../errors.ts'
import { currentScope, type RunScope } from '../scope.ts'

/** A run that ends its process, by whatever call, ends itself alone. */
export function wrapExit(): void {
  const exit = process.exit.bind(process)
  process.exit = (code?: number | string | null): never => {
    const scope = currentScope()
    if (scope === undefined) return exit(code)
    const status = code === undefined || code === null ? undefined : Number(code)
    return endRun(scope, `process.exit(${String(code ?? '')})`, status)
  }
  const abort = process.abort.bind(process)
  process.abort = (): never => {
    const scope = currentScope()
    return scope === undefined ? abort() : endRun(scope, 'process.abort()', 128 + constants.signals.SIGABRT)
  }
  wrapKill()
}

function wrapKill(): void {
  const kill = process.kill.bind(process)
  process.kill = (pid, signal) => {
    const scope = currentScope()
    const known = signalOf(signal)
    const own = pid === process.pid || pid === 0
    if (scope === undefined || !own || known === undefined) return kill(pid, signal)
    const { name, number } = known
    if (scope.processEvents.listenerCount(name) === 0) {
      return endRun(scope, `process.kill(${pid}, ${name})`, 128 + number)
    }
    setImmediate(() => scope.processEvents.emit(name, name, number))
    return true
  }
}

/** The signal that an argument of `process.kill` stands for; undefined for none, and for 0, which only looks. */
function signalOf(given: string | number = 'SIGTERM'): { name: string; number: number } | undefined {
  const found = Object.entries(constants.signals).find(([name, number]) => given === name || given === number)
  return found && { name: found[0], number: found[1] }
}

function endRun(scope: RunScope, call: string, status: number | undefined): never {
  scope.exit(status)
  throw new SnapshotError('ISOLATION', `${call} was called inside a run: the agent would have ended here.`, {
    details: { exitCode: status },
  })
}
