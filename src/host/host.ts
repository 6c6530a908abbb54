import type { RunFolders } from './folders/run-folders.ts'
import type { SessionJournal } from './journal.ts'

/**
 * Where the agent lives, whatever kind of place that is. A host is given bytes to the agent's standard input and gives
 * the bytes of its standard output; it knows nothing of scenarios.
 */
export interface Host {
  /** The working directory that the client names in `session/new`: an absolute path. */
  readonly cwd: string
  /** Newline-delimited JSON both ways, seen from the client. */
  readonly stdio: {
    /** To the agent's standard input. */
    readonly input: WritableStream<Uint8Array>
    /** From the agent's standard output. */
    readonly output: ReadableStream<Uint8Array>
  }
  /** What the agent logs, while it logs it. */
  readonly journal: SessionJournal
  /** Resolves once the file exists in the agent's working directory; rejects with the signal's reason. */
  waitForFile(relativePath: string, deadline: AbortSignal): Promise<void>
  /** Resolves (with the cause) when the agent is gone or can't go on before it was asked to. Never rejects. */
  readonly failed: Promise<Error>
}

/** How long the parts of a run took, in ms. */
export interface HostTimings {
  import: number
  mount: number
  dispose: number
}

/** A host with all that a run wants of it, from start to end. */
export interface RunHost extends Host {
  readonly folders: RunFolders
  readonly timings: HostTimings
  /** What `failed` has resolved with. */
  readonly failure: Error | undefined
  /** Whether the agent's model calls are seen, and can be answered: a command of one's own may keep them to itself. */
  readonly isObserved: boolean
  /** What the agent wrote to standard error, and errors that its kernel logged. */
  diagnostics(): string
  /** Ends the agent and waits, until the deadline. What was written stays readable. */
  dispose(): Promise<void>
  /** Raw logs and whatever else lies in the folder of sessions, by relative path; after {@link dispose}. */
  logs(): Map<string, Buffer>
  /** The working directory as the agent left it, by relative path; 256 MiB of it at most. */
  workspace(): Map<string, Buffer>
  /** Removes everything of the run from the real disk. Disposes first where that has not happened, and never throws. */
  [Symbol.asyncDispose](): Promise<void>
}
