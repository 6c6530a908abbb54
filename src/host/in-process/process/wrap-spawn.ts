import childProcess from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import workerThreads from 'node:worker_threads'

import { SnapshotError } from '../../../errors.ts'
import { isVirtual } from '../disk/virtual-path.ts'
import { currentScope, type RunScope } from '../scope.ts'

type SpawnFunction = (...args: unknown[]) => unknown

/**
 * Gives child processes and workers that are started inside a run the run's working directory and environment where
 * their caller names none: the system would give them those of the real process.
 */
export function wrapSpawn(): void {
  // All asynchronous ways to start a process (spawn, exec, execFile, fork) meet here.
  const prototype = childProcess.ChildProcess.prototype as unknown as { spawn: SpawnFunction }
  const spawn = prototype.spawn
  prototype.spawn = function (this: unknown, options: unknown) {
    const scope = currentScope()
    const asked = scope === undefined || options === null ? options : withDirectory(options, scope)
    return Reflect.apply(spawn, this, [asked])
  }
  for (const name of ['spawnSync', 'execSync', 'execFileSync'] as const) {
    const original = childProcess[name] as SpawnFunction
    Reflect.set(childProcess, name, (...args: unknown[]): unknown => {
      const scope = currentScope()
      return original(...(scope === undefined ? args : withOptions(name, args, scope)))
    })
  }
  wrapWorker()
}

/** Puts the directory into the options, which follow the command and its arguments; either may be left out. */
function withOptions(name: string, args: readonly unknown[], scope: RunScope): unknown[] {
  const [command, second, third, ...rest] = args
  const shell = name === 'execSync'
  const hasArguments = !shell && (Array.isArray(second) || second === undefined || second === null)
  if (hasArguments) return [command, second, withDirectory(third, scope), ...rest]
  return [command, withDirectory(second, scope), third, ...rest]
}

function withDirectory(given: unknown, scope: RunScope): unknown {
  const options = given ?? {}
  if (typeof options !== 'object') return given
  const named: unknown = 'cwd' in options ? options.cwd : undefined
  const file: unknown = 'file' in options ? options.file : undefined
  const cwd = directoryOf(named, scope)
  if (typeof cwd === 'string' && isVirtual(cwd))
    throw onVirtualDisk(typeof file === 'string' ? file : 'a process', cwd)
  return { ...options, cwd }
}

/** A relative directory is one below the run's; what is no directory is left for Node to refuse. */
function directoryOf(named: unknown, scope: RunScope): unknown {
  if (named === undefined || named === null) return scope.cwd
  if (typeof named === 'string') return path.resolve(scope.cwd, named)
  return named instanceof URL && named.protocol === 'file:' ? fileURLToPath(named) : named
}

function onVirtualDisk(file: string, cwd: string): Error {
  return new SnapshotError(
    'ISOLATION',
    `${file} was to be started in ${cwd}, a folder of the run's virtual disk, which other processes can't see. ` +
      `Run scenarios that start processes with workspace: 'disk'.`,
    { details: { file, cwd } },
  )
}

function wrapWorker(): void {
  const RealWorker = workerThreads.Worker
  class Worker extends RealWorker {
    constructor(file: string | URL, options: workerThreads.WorkerOptions = {}) {
      const scope = currentScope()
      super(file, scope === undefined ? options : { ...options, env: options.env ?? { ...scope.env } })
    }
  }
  Reflect.set(workerThreads, 'Worker', Worker)
}
