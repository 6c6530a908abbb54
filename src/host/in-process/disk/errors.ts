import { constants } from 'node:os'

import { SnapshotError } from '../../../errors.ts'

/** The error of a function that the virtual disk does not have: it must not fall through to the real one. */
export function notServed(name: string, args: readonly unknown[]): Error {
  return new SnapshotError(
    'ISOLATION',
    `fs.${name}(${JSON.stringify(args[0])}) was called on a path of the run's virtual disk, which has no such function. ` +
      `Use another function of node:fs, or keep the file in the run's working directory with workspace: 'disk'.`,
    { details: { function: name } },
  )
}

/** As from two disks: whoever renames is prepared to copy instead. */
export function crossDevice(syscall: string, args: readonly unknown[]): Error {
  const [from, to] = [String(args[0]), String(args[1])]
  const error: NodeJS.ErrnoException = new Error(
    `EXDEV: cross-device link not permitted, ${syscall} '${from}' -> '${to}' ` +
      `(one lies on the run's virtual disk, the other on the real one)`,
  )
  return Object.assign(error, { errno: -constants.errno.EXDEV, code: 'EXDEV', syscall, path: from, dest: to })
}

/** As Node's functions throw it where they are called with a signal that is aborted. */
export function aborted(signal: AbortSignal): Error {
  const error = new Error('The operation was aborted', { cause: signal.reason })
  return Object.assign(error, { name: 'AbortError', code: 'ABORT_ERR' })
}
