import type { JsonObject } from '../session-log/types.ts'

/** A file to wait for. @public */
export interface FileWait {
  /** Relative to the run's cwd, and inside it. */
  readonly path: string
  /** Integer ms, 1 to 2^31-1; 10000 where the script names none. */
  readonly timeoutMs: number
}

/** An ACP content block, as it goes over the wire. @public */
export type PromptBlock = JsonObject & { readonly type: string }

/** Initialises the connection with the SDK's protocol version and no client capabilities. @public */
export interface InitializeStep {
  readonly op: 'initialize'
}

/** `session/new` with the run's cwd and no MCP servers; the later steps use its session. @public */
export interface NewSessionStep {
  readonly op: 'newSession'
}

/** `session/new` that the agent must refuse. @public */
export interface NewSessionExpectErrorStep {
  readonly op: 'newSessionExpectError'
  readonly additionalDirectories?: readonly string[]
}

/** Sends a text prompt and waits for the response. @public */
export interface PromptStep {
  readonly op: 'prompt'
  readonly text: string
}

/** Sends a prompt of content blocks and waits for the response. @public */
export interface PromptContentStep {
  readonly op: 'promptContent'
  readonly content: readonly PromptBlock[]
}

/** Sends a text prompt and waits for one exact text chunk of the agent as well. @public */
export interface PromptAndWaitForAgentMessageStep {
  readonly op: 'promptAndWaitForAgentMessage'
  readonly text: string
  readonly waitForText: string
}

/** Sends a text prompt that the agent must fail. @public */
export interface PromptExpectErrorStep {
  readonly op: 'promptExpectError'
  readonly text: string
}

/** Sends a text prompt, waits for the file (else for a durable open turn), cancels, and waits for the response. @public */
export interface PromptAndCancelStep {
  readonly op: 'promptAndCancel'
  readonly text: string
  readonly waitForFile?: FileWait
}

/** Sends `session/cancel`, after the file is there where one is named. @public */
export interface CancelStep {
  readonly op: 'cancel'
  readonly waitForFile?: FileWait
}

/** Waits for a file. @public */
export interface WaitForFileStep extends FileWait {
  readonly op: 'waitForFile'
}

/** Waits until the latest turn boundary is an open turn. @public */
export interface WaitForTurnStartStep {
  readonly op: 'waitForTurnStart'
  /** Turns count from 1. */
  readonly minimumTurn?: number
  readonly timeoutMs: number
}

/** Waits until the latest turn boundary is a turn's end. @public */
export interface WaitForTurnEndStep {
  readonly op: 'waitForTurnEnd'
  readonly timeoutMs: number
}

/** Waits until a child agent has closed a turn. @public */
export interface WaitForSubagentTurnEndStep {
  readonly op: 'waitForSubagentTurnEnd'
  /** The child's number, from 1; 1 where the script names none. */
  readonly child: number
  /** The turn or a later one, from 1; 1 where the script names none. */
  readonly minimumTurn: number
  readonly timeoutMs: number
}

/** Waits until the latest goal has this phase. @public */
export interface WaitForGoalPhaseStep {
  readonly op: 'waitForGoalPhase'
  readonly phase: string
  readonly timeoutMs: number
}

/** Waits until a text block put into the inbox contains this text. @public */
export interface WaitForInboxMessageStep {
  readonly op: 'waitForInboxMessage'
  readonly text: string
  readonly timeoutMs: number
}

/** Waits for a session title after the last turn's end. @public */
export interface WaitForTitleAfterTurnEndStep {
  readonly op: 'waitForTitleAfterTurnEnd'
  readonly timeoutMs: number
}

/** Waits for an event of this type after the last turn's end. @public */
export interface WaitForEventAfterTurnEndStep {
  readonly op: 'waitForEventAfterTurnEnd'
  readonly type: string
  readonly timeoutMs: number
}

/** Opens the gate of this name in the replayed streams. @public */
export interface SignalStep {
  readonly op: 'signal'
  readonly name: string
}

/** One step of an input script, with its defaults filled in. @public */
export type Step =
  | InitializeStep
  | NewSessionStep
  | NewSessionExpectErrorStep
  | PromptStep
  | PromptContentStep
  | PromptAndWaitForAgentMessageStep
  | PromptExpectErrorStep
  | PromptAndCancelStep
  | CancelStep
  | WaitForFileStep
  | WaitForTurnStartStep
  | WaitForTurnEndStep
  | WaitForSubagentTurnEndStep
  | WaitForGoalPhaseStep
  | WaitForInboxMessageStep
  | WaitForTitleAfterTurnEndStep
  | WaitForEventAfterTurnEndStep
  | SignalStep

/** The name of a step's operation. @public */
export type StepOp = Step['op']

/** Keys that have a default in some steps. @public */
export type DefaultedKey = 'timeoutMs' | 'child' | 'minimumTurn'

/** A type in which keys with a default may be left out. @public */
export type Written<T> = T extends { readonly waitForFile?: FileWait }
  ? Omit<T, 'waitForFile'> & { readonly waitForFile?: Written<FileWait> }
  : Omit<T, DefaultedKey> & Partial<Pick<T, DefaultedKey & keyof T>>

/** A step as an input script is written: keys with a default may be left out. @public */
export type StepInput = { [Op in StepOp]: Written<Extract<Step, { readonly op: Op }>> }[StepOp]
