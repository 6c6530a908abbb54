import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { Readable, Writable, type Duplex } from 'node:stream'

import { SnapshotError } from '../../errors.ts'
import { withDeadline } from '../deadline.ts'
import type { RunFolders } from '../folders/run-folders.ts'
import { endAtExit, signalGroup } from './process-group.ts'
import { MOST_STDERR, StderrTail } from './stderr-tail.ts'

/** A command that starts an agent. */
export interface AgentCommand {
  readonly command: string
  readonly args: readonly string[]
}

/** How a process ended. */
export interface ProcessEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** The descriptor that a process of the library's own asks its run over. */
export const SYNC_FD = 3

/** How long a process may take to go after SIGTERM, and after SIGKILL, ms. */
const GOES_WITHIN = 1000

/** How long its output may stay open after the process has gone, ms: somebody whom it has started may hold it. */
const ENDS_WITHIN = 200

/** An agent in a process of its own, which leads a group of its own. */
export class AgentProcess {
  readonly stdio: {
    readonly input: WritableStream<Uint8Array>
    readonly output: ReadableStream<Uint8Array>
  }
  /** What the process asks over its descriptor {@link SYNC_FD}; absent where it has none. */
  readonly questions: Duplex | undefined
  /** Resolves when the process has ended, or could not be started. Never rejects. */
  readonly ended: Promise<ProcessEnd>
  /** Resolves with the reason why the agent can't go on. Never rejects. */
  readonly failed: Promise<Error>
  readonly #child: ChildProcessWithoutNullStreams
  readonly #command: string
  readonly #stderr = new StderrTail()
  readonly #forget: () => void
  readonly #fail: (error: Error) => void
  #failure: Error | undefined
  #end: ProcessEnd | undefined
  #isExpected = false

  /** @param asks - whether the process gets a descriptor to ask over */
  constructor(
    { command, args }: AgentCommand,
    folders: Pick<RunFolders, 'real' | 'cwd'>,
    { env, asks }: { readonly env: NodeJS.ProcessEnv; readonly asks: boolean },
  ) {
    const { promise: failed, resolve: fail } = Promise.withResolvers<Error>()
    const { promise: ended, resolve: end } = Promise.withResolvers<ProcessEnd>()
    this.failed = failed
    this.ended = ended
    this.#command = describeCommand({ command, args })
    this.#fail = error => {
      this.#failure ??= error
      fail(error)
    }
    const child = this.#spawned(() =>
      spawn(command, args, {
        cwd: folders.cwd,
        env,
        detached: true,
        stdio: asks ? ['pipe', 'pipe', 'pipe', 'pipe'] : 'pipe',
        windowsHide: true,
      }),
    )
    this.#child = child
    this.#forget = child.pid === undefined ? () => undefined : endAtExit(child.pid, folders)
    const gone = (how: ProcessEnd): void => {
      this.#end = how
      end(how)
    }
    child.once('error', cause => {
      this.#fail(this.#notStarted(cause))
      if (child.pid === undefined) gone({ code: null, signal: null })
    })
    child.once('exit', (code, signal) => {
      gone({ code, signal })
      if (!this.#isExpected) this.#fail(this.#endedEarly({ code, signal }))
    })
    child.stderr.on('data', (chunk: Buffer) => this.#takeError(chunk))
    // Whoever writes to a process that is gone learns it from its end.
    child.stdin.on('error', () => undefined)
    child.stdin.once('finish', () => {
      this.#isExpected = true
    })
    this.questions = child.stdio[SYNC_FD] as Duplex | undefined
    this.stdio = {
      input: Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
      output: Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
    }
  }

  /** What {@link AgentProcess.failed} has resolved with. */
  get failure(): Error | undefined {
    return this.#failure
  }

  /** The end of what it has written to standard error. */
  get errors(): string {
    return this.#stderr.text()
  }

  /** Notes that the agent can't go on. */
  giveUp(error: Error): void {
    this.#fail(error)
  }

  /** Ends its standard input, which asks it to end. */
  endInput(): void {
    this.#isExpected = true
    if (!this.#child.stdin.writableEnded) this.#child.stdin.end()
  }

  /**
   * Waits for its end, once its input has ended.
   *
   * @param ms - after this it is told to go, and then made to
   * @throws SnapshotError where it had to be, or where it ended with a failure
   */
  async leave(ms: number, signal: AbortSignal | undefined): Promise<void> {
    this.endInput()
    try {
      await withDeadline(this.ended, ms, late, signal)
    } catch (error) {
      const how = await this.terminate()
      throw signal?.aborted === true ? error : this.#stayed(ms, how)
    }
    const { code, signal: by } = await this.ended
    if (code !== 0) throw this.#failedAtEnd({ code, signal: by })
  }

  /** Makes it go, by force if need be. Gives the signal that did it. Never throws. */
  async terminate(): Promise<NodeJS.Signals> {
    this.#isExpected = true
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (this.#end !== undefined) break
      signalGroup(this.#child.pid, signal)
      const gone = await soon(this.ended, GOES_WITHIN)
      if (gone !== undefined) return signal
    }
    return 'SIGKILL'
  }

  /** Ends what is left of it: whoever is in its group, and its streams. To be called after its end. */
  async close(): Promise<void> {
    signalGroup(this.#child.pid, 'SIGKILL')
    this.#forget()
    const closed = new Promise<void>(resolve => {
      if (this.#child.stdout.destroyed && this.#child.stderr.destroyed) resolve()
      else this.#child.once('close', () => resolve())
    })
    await soon(closed, ENDS_WITHIN)
    for (const stream of this.#child.stdio) stream?.destroy()
  }

  /** Some commands can't even be tried: their arguments are too long, or hold a NUL. */
  #spawned<T>(start: () => T): T {
    try {
      return start()
    } catch (cause) {
      throw this.#notStarted(cause as Error)
    }
  }

  #takeError(chunk: Buffer): void {
    this.#stderr.append(chunk)
    if (this.#stderr.total <= MOST_STDERR || this.#failure !== undefined) return
    this.#fail(
      new SnapshotError(
        'STEP_FAILED',
        `${this.#command} floods its standard error: more than ${MOST_STDERR} bytes in one run. ` +
          'Look at what it repeats, and have it log less.',
        { details: { limit: MOST_STDERR } },
      ),
    )
  }

  #notStarted(cause: Error): SnapshotError {
    return new SnapshotError(
      'COMPOSITION_FAILED',
      `${this.#command} can't be started: ${cause.message}. Correct the command; it is looked for in PATH, or give its ` +
        'absolute path.',
      { cause, details: { command: this.#command } },
    )
  }

  #endedEarly(end: ProcessEnd): SnapshotError {
    return new SnapshotError(
      'STEP_FAILED',
      `${this.#command} ${howEnded(end)} before the script was done. Look at what it wrote to standard error.`,
      { details: { ...end } },
    )
  }

  #failedAtEnd(end: ProcessEnd): SnapshotError {
    return new SnapshotError(
      'STEP_FAILED',
      `${this.#command} ${howEnded(end)} after its standard input had ended, where an agent ends with exit code 0. ` +
        'Look at what it wrote to standard error.',
      { details: { ...end } },
    )
  }

  #stayed(ms: number, how: NodeJS.Signals): SnapshotError {
    return new SnapshotError(
      'DEADLINE_EXCEEDED',
      `${this.#command} went on after its standard input had ended, for ${ms} ms, and was ended by ${how}. Let the agent ` +
        'exit when its input ends, or allow it more time (timeouts.dispose).',
      { details: { ms, signal: how } },
    )
  }
}

const late = (): string => 'it has not ended'

/** What something gives within a time, else nothing. */
async function soon<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  return await withDeadline(work, ms, late).catch(() => undefined)
}

function howEnded({ code, signal }: ProcessEnd): string {
  return signal === null ? `exited with code ${String(code)}` : `was killed by ${signal}`
}

function describeCommand({ command, args }: AgentCommand): string {
  const line = ['the agent', `(${[command, ...args].join(' ')})`].join(' ')
  return line.length > 300 ? `${line.slice(0, 300)}…)` : line
}
