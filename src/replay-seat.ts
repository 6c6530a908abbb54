import type { SessionFixture } from './fixtures/index.ts'
import { SnapshotError } from './errors.ts'
import { AuthoredCalls } from './llm-replay/authored-calls.ts'
import {
  Config,
  inject,
  name,
  type ModelCall,
  type ReplayConfig,
  type RequestDrift,
  type ScriptBinding,
  type SessionScript,
} from './llm-replay/index.ts'
import { prepareReplay, type PreparedReplay } from './llm-replay/install.ts'
import type { NormalizationRule } from './transcript/index.ts'

/** Entry names that stand for the replay in a composition. */
const replayNames = ['acp-snapshot/llm-replay', '@deepseek-ai/dsh-llm-replay']

/**
 * A model call of a run. What answered it is absent in a recording, where that was the provider.
 *
 * @public
 */
export type RunModelCall = Pick<ModelCall, 'sessionId' | 'request'> & Partial<ModelCall>

/** What a seat is made from. */
export interface SeatOptions {
  readonly mode: 'replay' | 'record'
  readonly scripts: readonly SessionScript[]
  readonly sessions: readonly SessionFixture[]
  readonly paceMs: number | undefined
  /** Whether a request that differs from its recording ends the run. */
  readonly drift: 'error' | 'report' | undefined
  readonly rules: readonly NormalizationRule[]
}

/**
 * Where the replay sits in a run's composition: at the entry that names it, or over everything else where no entry
 * does. It keeps what the run wants to know of the model calls.
 */
export class ReplaySeat {
  readonly calls: RunModelCall[] = []
  readonly #options: SeatOptions
  readonly #failure = new AbortController()
  #handle: PreparedReplay | undefined

  constructor(options: SeatOptions) {
    this.#options = options
  }

  /** Aborts with the first error that is the replay's own: an agent might take it for a provider's and go on. */
  get failed(): AbortSignal {
    return this.#failure.signal
  }

  /** The modules that a composition's entries get in place of the replay they name. */
  get modules(): Readonly<Record<string, unknown>> {
    const plugin = {
      name,
      inject,
      Config,
      apply: (ctx: object, config: ReplayConfig) => {
        if (this.#options.mode === 'record') return undefined
        const handle = this.#prepare(ctx, config)
        return () => handle.dispose()
      },
    }
    return Object.fromEntries(replayNames.map(entry => [entry, plugin]))
  }

  /**
   * Lets the replay answer, over everything that is mounted: put in by one of the composition's entries, which answers
   * from then on, or now where none has. In a recording the provider answers all but the calls of the primary session
   * that its override has an entry for.
   */
  installOver(ctx: object): void {
    const handle =
      this.#handle ?? (this.#options.mode === 'record' ? this.#watch(ctx) : this.#prepare(ctx, {}))
    handle.settle()
  }

  openGate(gate: string): void {
    this.#handle?.openGate(gate)
  }

  /** Names of gates that a stream has waited at and that were not opened. */
  gatesAwaited(): readonly string[] {
    return this.#handle?.gatesAwaited() ?? []
  }

  bindings(): readonly ScriptBinding[] {
    return this.#handle?.bindings() ?? []
  }

  /** Requests that differed from their recording, in order. */
  drifts(): readonly RequestDrift[] {
    return this.#handle?.drifts() ?? []
  }

  /** What the recording holds and the run did not use, a line each. */
  unconsumed(): string[] {
    try {
      this.#handle?.assertConsumed()
      return []
    } catch (error) {
      if (error instanceof SnapshotError && error.code === 'REPLAY_UNCONSUMED') return [error.message]
      throw error
    }
  }

  #watch(ctx: object): PreparedReplay {
    const authored = new AuthoredCalls(ctx, this.#options.sessions[0]?.override)
    this.#handle = prepareReplay(ctx, {
      scripts: [authored.script],
      answers: request => {
        if (authored.has(request)) return true
        this.calls.push({ sessionId: request.sessionId, request })
        return false
      },
      onCall: call => this.calls.push(call),
      onError: error => this.#failure.abort(error),
    })
    return this.#handle
  }

  #prepare(ctx: object, config: ReplayConfig): PreparedReplay {
    const { scripts, sessions, paceMs, drift, rules } = this.#options
    this.#handle = prepareReplay(ctx, {
      ...config,
      ...(paceMs === undefined ? {} : { paceMs }),
      ...(drift === undefined ? {} : { drift }),
      scripts,
      rules,
      routes: recordedRoutes(sessions),
      onCall: call => this.calls.push(call),
      onError: error => this.#failure.abort(error),
    })
    return this.#handle
  }
}

/** The provider routes that the recorded requests went to. */
function recordedRoutes(sessions: readonly SessionFixture[]): string[] {
  const routes = new Set<string>()
  for (const { log } of sessions) {
    for (const event of log.events) {
      if (event.type !== 'request/context') continue
      const provider = event.data.provider
      if (typeof provider === 'string') routes.add(provider)
    }
  }
  return [...routes]
}
