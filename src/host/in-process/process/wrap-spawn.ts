import childProcess from 'node:child_process'
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
    return Reflect.apply(spawn, this, [scope === undefined ? options : withDirectory(options, scope)])
  }
  for (const name of ['spawnSync', 'execSync', 'execFileSync'] as const) {
    const original = childProcess[name] as SpawnFunction
    Reflect.set(childProcess, name, (...args: unknown[]): unknown => {
      const scope = currentScope()
      return original(...(scope === undefined ? args : withOptions(args, scope)))
    })
  }
  wrapWorker()
}

function withOptions(args: readonly unknown[], scope: RunScope): unknown[] {
  const last = args.at(-1)
  const given = args.length > 1 && typeof last === 'object' && last !== null && !Array.isArray(last)
  return [...(given ? args.slice(0, -1) : args), withDirectory(given ? last : {}, scope)]
}

function withDirectory(options: unknown, scope: RunScope): unknown {
  if (typeof options !== 'object' || options === null) return options
  const given = 'cwd' in options ? options.cwd : undefined
  const cwd = given ?? scope.cwd
  const file: unknown = 'file' in options ? options.file : undefined
  if (typeof cwd === 'string' && isVirtual(cwd))
    throw onVirtualDisk(typeof file === 'string' ? file : 'a process', cwd)
  return { ...options, cwd }
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
