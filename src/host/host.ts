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
