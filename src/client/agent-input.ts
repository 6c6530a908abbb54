/** The agent's standard input, as the client writes it. */
export interface AgentInput {
  readonly writable: WritableStream<Uint8Array>
  /** Ends it, after all that has been written. Returns at once; an agent that is already gone is no error. */
  end(): void
}

/**
 * Holds the only writer of the agent's standard input, so that it can be ended whatever the protocol library is doing:
 * a stream that somebody has locked refuses to be closed.
 */
export function holdInput(input: WritableStream<Uint8Array>): AgentInput {
  const writer = input.getWriter()
  return {
    writable: new WritableStream<Uint8Array>({ write: chunk => writer.write(chunk) }),
    end: () => {
      writer.close().catch(() => undefined)
    },
  }
}
