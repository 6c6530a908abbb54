import type { FinishReason, LlmFailure, StreamChunk, TokenUsage } from '../llm-replay/chunk.ts'
import type { ScenarioSettings } from '../scenario/settings.ts'
import type { StepOp } from '../scenario/steps.ts'
import type { SuiteScenario } from '../scenario/suite.ts'
import type { ToolCallRecord } from '../session-log/tool-calls.ts'

/** Something that is wrong with a scenario. @public */
export interface InspectedProblem {
  /** Path of the file, or of the folder where no file is at fault. */
  readonly file: string
  /** Counted from 1. */
  readonly line?: number
  /** Counted from 1. */
  readonly column?: number
  readonly message: string
}

/** A file of a scenario folder. @public */
export interface InspectedFile {
  /** Relative to the folder, with `/` between its parts. */
  readonly name: string
  /** Bytes. */
  readonly size: number
}

/** Tokens of several model calls, each count the sum of what the calls tell. @public */
export type UsageTotals = Required<TokenUsage>

/** Sums over sessions. What a fork has inherited is its parent's and counts there alone. @public */
export interface InspectedTotals {
  readonly sessions: number
  /** Logical events: a packed row counts as many as it holds. */
  readonly events: number
  readonly turns: number
  readonly steps: number
  readonly modelCalls: number
  readonly toolCalls: number
  readonly errors: number
  readonly compactions: number
  readonly usage: UsageTotals
}

/** Where in a session's log something is. @public */
export interface InspectedPlace {
  /** Of the event that it begins with. */
  readonly seq: number
  /** That event's line of the log's file, counted from 1. */
  readonly line: number
  readonly turn?: number
  readonly step?: number
}

/** A turn of a session. @public */
export interface InspectedTurn extends InspectedPlace {
  readonly turn: number
  /** How many steps it has. */
  readonly steps: number
  /** How it ended; absent where the log has no end of it. */
  readonly end?: {
    /** `completed`, `blocked`, `max-tokens`, `interrupted`, `error` or `aborted`. */
    readonly reason: string
    /** Of the reason `error`. */
    readonly error?: LlmFailure
    /** Of the reason `aborted`: the kind of what aborted it, such as `user`. */
    readonly abortedBy?: string
  }
}

/** A step of a turn. @public */
export interface InspectedStep extends InspectedPlace {
  readonly turn: number
  readonly step: number
  readonly ended: boolean
}

/** A model call that a log holds. @public */
export interface InspectedCall extends InspectedPlace {
  readonly kind: 'conversation' | 'compaction'
  /** Whether the scenario's override answers it in the place of what is here. */
  readonly overridden: boolean
  /** Whether its stream has no finish: it threw or was aborted when it was recorded. */
  readonly unterminated: boolean
  readonly finish?: FinishReason
  readonly usage?: TokenUsage
  /** How many chunks there are of each type. */
  readonly chunkCounts: Readonly<Record<StreamChunk['type'], number>>
  /** What it said: its text blocks, joined by LF. */
  readonly text: string
  /** The same for its reasoning. */
  readonly reasoning: string
  /**
   * From the first chunk to the last, ms. In a log without times it is the sum of the gaps within packed rows; absent
   * where there are none.
   */
  readonly streamMs?: number
  /** The stream itself. Not enumerable, so that JSON leaves it out. */
  readonly chunks: readonly StreamChunk[]
}

/** A tool call with its result. @public */
export interface InspectedToolCall extends ToolCallRecord {
  /** The call's line of the log's file, counted from 1. */
  readonly line: number
}

/** Something that went wrong in a session, as its log tells. @public */
export interface InspectedError extends InspectedPlace {
  /** What failed: a turn, a tool, a model's stream, an attempt that was tried again, a compaction. */
  readonly kind: 'turn' | 'tool' | 'finish' | 'retry' | 'compaction'
  readonly message: string
  readonly code?: string
}

/** A compaction of a session. @public */
export interface InspectedCompaction extends InspectedPlace {
  /** A `prune` replaces messages without a model. */
  readonly kind: 'summary' | 'prune'
  readonly id?: string
  readonly ended: boolean
  /** How many messages it has replaced; absent where there is no summary. */
  readonly shadowedMessages?: number
  /** Of these, as the agent has estimated it. */
  readonly shadowedTokens?: number
  /** Of the summariser. */
  readonly usage?: TokenUsage
  /** Why it has failed. */
  readonly error?: string
}

/** What the requests of a session went to. @public */
export interface InspectedHeader extends InspectedPlace {
  /** `initial`, `resume` or `change`. */
  readonly reason: string
  readonly provider?: string
  readonly model?: string
}

/** What started a session. @public */
export interface InspectedLineage {
  /** The name of the scenario's log that the parent's id is in, such as `session.jsonl`. */
  readonly parent?: string
  readonly parentId?: string
  /** Of its descriptor. */
  readonly label?: string
  /** 0 for a session that a client has opened. */
  readonly delegationDepth: number
  readonly origin?: string
  /** How many events a fork has inherited. */
  readonly seedLength?: number
}

/** What a session's log tells. A fork's lists and counts leave out what it has inherited. @public */
export interface InspectedSession {
  /** `session.jsonl` or `session.<n>.jsonl`, also where the file is compressed. */
  readonly name: string
  /** The name of its file in the folder. */
  readonly file: string
  readonly id: string
  readonly lineage: InspectedLineage
  /** Whether the log could not be read to its end. */
  readonly partial: boolean
  /** Its own logical events. */
  readonly events: number
  /** Lines of the file below the header, with those of inherited events. */
  readonly rows: number
  readonly turns: readonly InspectedTurn[]
  readonly steps: readonly InspectedStep[]
  readonly modelCalls: readonly InspectedCall[]
  readonly toolCalls: readonly InspectedToolCall[]
  /** Over {@link InspectedSession.modelCalls}. */
  readonly usage: UsageTotals
  /** In order of their events. */
  readonly errors: readonly InspectedError[]
  readonly compactions: readonly InspectedCompaction[]
  readonly headers: readonly InspectedHeader[]
  /** The override of its script, if there is one. */
  readonly override?: {
    readonly file: string
    /** Whether it replaces the whole script, or patches it. */
    readonly kind: 'replace' | 'patch'
    /** How many entries it has. */
    readonly entries: number
  }
}

/** What is so of a scenario. @public */
export interface InspectedFlags {
  /** There is a `replay.override.json`. */
  readonly overridden: boolean
  /** Its primary log comes from a run, and was not written by somebody. */
  readonly recorded: boolean
  /** There is a `workspace/`. */
  readonly workspace: boolean
  /** There is a `facts.json`. */
  readonly facts: boolean
  /** Some log is compressed. */
  readonly compressed: boolean
  /** There is a system prompt or a list of tool schemas beside the logs. */
  readonly pinned: boolean
}

/** What a scenario folder tells. Plain data but for the chunks of its model calls. @public */
export interface InspectedScenario {
  readonly name: string
  /** Absolute path. */
  readonly folder: string
  /** The ops of its steps, in order. */
  readonly steps: readonly StepOp[]
  /** Primary first, then in order of their numbers. */
  readonly sessions: readonly InspectedSession[]
  readonly totals: InspectedTotals
  /** In order of their names. */
  readonly files: readonly InspectedFile[]
  readonly flags: InspectedFlags
  readonly headerClass: string
  readonly pin?: NonNullable<SuiteScenario['pin']>
  /** What `suite.json` says of it, with the defaults filled in. */
  readonly settings: ScenarioSettings
  /** Whatever is wrong with it; empty where it can be read whole. */
  readonly problems: readonly InspectedProblem[]
}

/** What the scenarios below a folder tell. @public */
export interface InspectedCorpus {
  /** Absolute path. */
  readonly folder: string
  /** In order of their paths. */
  readonly scenarios: readonly InspectedScenario[]
  readonly totals: InspectedTotals & {
    readonly scenarios: number
    /** Bytes of all files. */
    readonly bytes: number
    readonly problems: number
  }
}
