/** A value as JSON has it. @public */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue }

/** An object as JSON has it. @public */
export type JsonObject = Readonly<Record<string, JsonValue>>

/**
 * The first line of a session log.
 *
 * @public
 */
export interface SessionHeader {
  readonly type: 'session'
  /** Format version; 0 is the only one there is. */
  readonly version: 0
  readonly id: string
  /** Epoch, ms. */
  readonly createdAt: number
  readonly cwd?: string
  readonly parentSession?: string
  /** How many logical events a fork inherited. */
  readonly seedLength?: number
  readonly origin?: 'subagent'
  readonly delegationDepth: number
  readonly agentPreset?: string
}

/**
 * One logical event of a session log. Unknown types and fields are kept as they are.
 *
 * @public
 */
export interface SessionEvent {
  readonly type: string
  /** Contiguous from 0 over the logical events of a log. */
  readonly seq: number
  /** Epoch, ms; 0 where the fixture projection has removed it. */
  readonly time: number
  readonly data: JsonObject
  readonly sourceEventSeqs?: readonly number[]
  readonly surfaceOp?: JsonValue
  readonly ignorable?: true
}

/**
 * A session log, decoded.
 *
 * @public
 */
export interface SessionLog {
  /** What the log is called in messages: a path, or a name such as `session.jsonl`. */
  readonly file: string
  readonly header: SessionHeader
  /** The header line to the letter: a projection keeps it byte for byte. */
  readonly headerLine: string
  readonly events: readonly SessionEvent[]
}
