import { SnapshotError } from '../errors.ts'
import type { Host } from '../host/host.ts'
import type { LiveSession } from '../host/journal.ts'
import type { StepOp } from '../scenario/index.ts'
import type { AcpClient, Outcome } from './acp-client.ts'
import type { Look } from './journal-looks.ts'
import { sessionOf } from './journal-looks.ts'
import { describeJournal, describeMessage, describeUnfinished } from './seen-last.ts'
import { within } from './within.ts'

/** What the agent answered to one request of the script. */
export interface AgentResponse {
  /** The step that sent it, from 1. */
  readonly step: number
  readonly op: StepOp
  readonly method: string
  readonly outcome: Outcome
}

/** What the steps of a script share. */
export interface RunParts {
  readonly host: Pick<Host, 'cwd' | 'journal' | 'waitForFile'>
  readonly client: AcpClient
  /** Aborts with the error that ends the run, whatever it is. */
  readonly failed: AbortSignal
  /** How long the agent may take to answer a request, in ms. */
  readonly promptTimeoutMs: number
  readonly openGate?: ((name: string) => void) | undefined
}

/** A script under way: the session it has opened, what was answered, and the ways to wait. */
export class ScriptRun {
  readonly parts: RunParts
  readonly responses: AgentResponse[] = []
  stopReason: string | undefined
  readonly #sessions: string[] = []

  constructor(parts: RunParts) {
    this.parts = parts
  }

  /** The session that steps act on, once session/new has returned it. */
  get sessionId(): string | undefined {
    return this.#sessions.at(-1)
  }

  /** Every session that session/new has returned, in order. */
  get sessions(): readonly string[] {
    return this.#sessions
  }

  openSession(id: string): void {
    this.#sessions.push(id)
  }

  /** That session's id. @throws SnapshotError `STEP_FAILED` before there is one */
  needSession(): string {
    const id = this.sessionId
    if (id !== undefined) return id
    throw new SnapshotError(
      'STEP_FAILED',
      'it needs a session, and none is open. Put a "newSession" step before it.',
    )
  }

  /** Waits for an answer that is under way. */
  answer(method: string, outcome: Promise<Outcome>): Promise<Outcome> {
    const { promptTimeoutMs: ms, failed } = this.parts
    const seen = (): string => this.#seenByPrompt()
    return within({ what: `answer to ${method}`, ms, limit: PROMPT_LIMIT, seen, failed }, () => outcome)
  }

  /** Waits for the agent to take a notification. */
  async notify(method: string, params: object): Promise<void> {
    const { promptTimeoutMs: ms, failed, client } = this.parts
    const seen = (): string => this.#seenByPrompt()
    await within(
      { what: `room for ${method} in its standard input`, ms, limit: PROMPT_LIMIT, seen, failed },
      () => client.notify(method, params),
    )
  }

  /** Waits for a chunk of the agent's text; `chunk` was armed before the prompt was sent. */
  message(text: string, chunk: Promise<void>): Promise<void> {
    const { promptTimeoutMs: ms, failed, client } = this.parts
    const what = `agent_message_chunk with the text ${JSON.stringify(text)}`
    const seen = (): string => describeMessage(client.messages.last)
    return within({ what, ms, limit: PROMPT_LIMIT, seen, failed }, () => chunk)
  }

  /** Waits for a file in the agent's working directory. */
  file(
    wait: { readonly path: string; readonly timeoutMs: number },
    meanwhile: Promise<never>[] = [],
  ): Promise<void> {
    const { host, failed } = this.parts
    const what = `file ${JSON.stringify(wait.path)} in ${host.cwd}`
    const seen = (): string => this.#seenByPrompt()
    return within({ what, ms: wait.timeoutMs, limit: LIMIT, seen, failed }, deadline =>
      Promise.race([host.waitForFile(wait.path, deadline), ...meanwhile]),
    )
  }

  /** Waits for the journal to say yes. */
  async journal(
    wait: {
      readonly what: string
      readonly ms: number
      readonly limit?: string
      /** The session to describe where the wait fails; the primary where absent. */
      readonly of?: (sessions: readonly LiveSession[]) => LiveSession | undefined
    },
    look: Look,
    meanwhile: Promise<never>[] = [],
  ): Promise<void> {
    const { host, failed } = this.parts
    const primary = sessionOf(this.needSession())
    const of = wait.of ?? primary
    const seen = (): string => describeJournal(of(host.journal.sessions), host.journal.sessions)
    await within({ what: wait.what, ms: wait.ms, limit: wait.limit ?? LIMIT, seen, failed }, deadline =>
      Promise.race([host.journal.until(look, deadline), ...meanwhile]),
    )
  }

  #seenByPrompt(): string {
    const { host, client } = this.parts
    const message = describeMessage(client.messages.last) + describeUnfinished(client.tap.unfinished)
    if (this.sessionId === undefined) return message
    const { sessions } = host.journal
    return `${describeJournal(sessionOf(this.sessionId)(sessions), sessions)}; ${message}`
  }
}

const LIMIT = 'timeoutMs of the step'

/** What to raise where a request takes too long: the run's option, for a step has none. */
export const PROMPT_LIMIT = 'timeouts.prompt of the run'
