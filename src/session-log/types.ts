/** A value as JSON has it. @public */
export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue }

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
 * One logical event of a session log. Unknown types, and unknown fields anywhere in `data`, are kept as they are; the
 * envelope itself is closed: it has the keys below and no others.
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
  /**
   * The line of {@link SessionLog.file} that holds each event's row, by seq, counted from 1: the members of a packed row
   * share theirs. Absent where the events are not those of a file.
   */
  readonly lines?: readonly number[]
}

/**
 * A stored run of text or reasoning deltas: one member a string, never joined. Member `k` is the `assistant/chunk` with
 * seq `seq0 + k` and time `time0` plus the first `k` gaps of `dt`.
 *
 * @public
 */
export interface TextChunksRow {
  readonly type: 'text-chunks' | 'reasoning-chunks'
  readonly seq0: number
  /** Epoch, ms. */
  readonly time0: number
  readonly data: {
    readonly turn: number
    readonly step: number
    readonly index: number
    /** Gaps between members, ms: one fewer than there are members; 0 and negative ones are legal. */
    readonly dt: readonly number[]
    readonly texts: readonly string[]
  }
}

/**
 * A stored run of tool call deltas: like {@link TextChunksRow}, for one tool call.
 *
 * @public
 */
export interface ToolCallChunksRow {
  readonly type: 'tool-call-chunks'
  readonly seq0: number
  /** Epoch, ms. */
  readonly time0: number
  readonly data: {
    readonly turn: number
    readonly step: number
    readonly index: number
    /** Gaps between members, ms: one fewer than there are members; 0 and negative ones are legal. */
    readonly dt: readonly number[]
    readonly id: string
    /** There if, and only if, every member names the tool. */
    readonly name?: string
    /** The fragments of the raw JSON arguments, one a member. */
    readonly args: readonly string[]
  }
}

/** A stored run of deltas of one block. @public */
export type PackedRow = TextChunksRow | ToolCallChunksRow

/** What one body line of a stored log holds: an event as it is, or a packed run. @public */
export type StorageRow = SessionEvent | PackedRow

/** Where in a log something is: what messages begin with, as `file:line`. @public */
export interface LogPlace {
  readonly file: string
  /** Counted from 1, blank lines included. */
  readonly line: number
}
