import { EventEmitter } from 'node:events'
import { inspect } from 'node:util'

import { SnapshotError } from '../../errors.ts'
import { runEnvironment } from '../run-environment.ts'
import type { RunFolders } from '../folders/run-folders.ts'
import { slot, type RunScope } from './scope.ts'
import { StdioPair } from './stdio-pair.ts'

/** The process that a run's agent believes to live in: its scope, its standard streams, and how it ended. */
export class AgentWorld {
  readonly pair = new StdioPair()
  /** Resolves with the first failure that no step has caused: an exit, an error that nobody caught. */
  readonly failed: Promise<Error>
  readonly #scope: RunScope
  #failure: Error | undefined
  #ended = false

  /** @param values - of the environment, beside what every run has */
  constructor(folders: RunFolders, values: Readonly<Record<string, string>>, network: RunScope['network']) {
    const { promise, resolve } = Promise.withResolvers<Error>()
    this.failed = promise
    const fail = (failure: Error): void => {
      this.#failure ??= failure
      resolve(failure)
    }
    this.#scope = {
      key: folders.key,
      cwd: folders.cwd,
      home: folders.home,
      env: runEnvironment(process.env, folders, values),
      disk: folders.disk,
      stdio: this.pair.process,
      network,
      processEvents: new EventEmitter(),
      exit: code => fail(exited(code)),
      crash: (event, error) => {
        this.pair.process.stderr.write(`${inspect(error)}\n`)
        fail(crashed(event, error))
      },
    }
    slot.live.add(this.#scope)
  }

  /** What {@link AgentWorld.failed} has resolved with. */
  get failure(): Error | undefined {
    return this.#failure
  }

  /** Calls a function inside the run: all that it starts belongs to it. */
  run<T>(work: () => T): T {
    return slot.scopes.run(this.#scope, work)
  }

  /** Ends the process as the agent sees it: its `exit` listeners are called, once, and go. */
  end(): void {
    if (this.#ended) return
    this.#ended = true
    const { processEvents } = this.#scope
    try {
      this.run(() => processEvents.emit('exit', 0))
    } finally {
      processEvents.removeAllListeners()
      slot.live.delete(this.#scope)
    }
  }
}

function exited(code: number | undefined): Error {
  return new SnapshotError(
    'STEP_FAILED',
    `the agent ended its process (exit code ${code ?? 0}) before the script was done. Look for process.exit in its plugins.`,
    { details: { exitCode: code } },
  )
}

function crashed(event: string, error: unknown): Error {
  return new SnapshotError(
    'STEP_FAILED',
    `the agent crashed (${event}): ${error instanceof Error ? error.message : String(error)}. ` +
      `Handle the error in the plugin that it comes from.`,
    { cause: error, details: { event } },
  )
}
