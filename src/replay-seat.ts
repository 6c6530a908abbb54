import type { SessionFixture } from './fixtures/index.ts'
import { SnapshotError } from './errors.ts'
import type { RemoteModel } from './host/subprocess/run-channel.ts'
import { AuthoredCalls } from './llm-replay/authored-calls.ts'
import type {
  ModelCall,
  ModelRequest,
  ReplayConfig,
  ReplayHandle,
  ReplayOverrideDoc,
  RequestDrift,
  ScriptBinding,
  SessionLineage,
  SessionScript,
} from './llm-replay/index.ts'
import { prepareReplay, type PreparedReplay } from './llm-replay/install.ts'
import { storedLineage } from './llm-replay/live-sessions.ts'
import { recordedCatalogue } from './llm-replay/recorded-models.ts'
import { recordedRoutes } from './llm-replay/recorded-routes.ts'
import { replayModules } from './llm-replay/replay-modules.ts'
import { Replay } from './llm-replay/replay.ts'
import type { NormalizationRule, NormalizeContext } from './transcript/index.ts'

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

/** Where the agent of another process lives. */
export interface RemotePlace {
  /** Its working directory. */
  readonly cwd: string
  /** What the run has of its own, as its requests hold it. */
  readonly context: NormalizeContext
}

type ReplayControls = Omit<ReplayHandle, 'dispose'>

/**
 * Where the replay sits in a run's composition: at the entry that names it, or over everything else where no entry
 * does. It keeps what the run wants to know of the model calls.
 */
export class ReplaySeat {
  readonly calls: RunModelCall[] = []
  readonly #options: SeatOptions
  readonly #failure = new AbortController()
  /** Put into a composition of this process. */
  #mounted: PreparedReplay | undefined
  #replay: () => ReplayControls | undefined = () => this.#mounted

  constructor(options: SeatOptions) {
    this.#options = options
  }

  /** Aborts with the first error that is the replay's own: an agent might take it for a provider's and go on. */
  get failed(): AbortSignal {
    return this.#failure.signal
  }

  /** The modules that a composition's entries get in place of the replay they name. */
  get modules(): Readonly<Record<string, unknown>> {
    return replayModules((ctx, config) => {
      if (this.#options.mode === 'record') return undefined
      const replay = this.#prepare(ctx, config)
      this.#mounted = replay
      return replay
    })
  }

  /**
   * Lets the replay answer, over everything that is mounted: put in by one of the composition's entries, which answers
   * from then on, or now where none has. In a recording the provider answers all but the calls of the primary session
   * that its override has an entry for.
   */
  installOver(ctx: object): void {
    this.#mounted ??= this.#options.mode === 'record' ? this.#watch(ctx) : this.#prepare(ctx, {})
    this.#mounted.settle()
  }

  openGate(gate: string): void {
    this.#replay()?.openGate(gate)
  }

  /** Names of gates that a stream has waited at and that were not opened. */
  gatesAwaited(): readonly string[] {
    return this.#replay()?.gatesAwaited() ?? []
  }

  bindings(): readonly ScriptBinding[] {
    return this.#replay()?.bindings() ?? []
  }

  /** Requests that differed from their recording, in order. */
  drifts(): readonly RequestDrift[] {
    return this.#replay()?.drifts() ?? []
  }

  /** What the recording holds and the run did not use, a line each. */
  unconsumed(): string[] {
    try {
      this.#replay()?.assertConsumed()
      return []
    } catch (error) {
      if (error instanceof SnapshotError && error.code === 'REPLAY_UNCONSUMED') return [error.message]
      throw error
    }
  }

  /** Answers a composition in another process from now on. */
  remote(place: RemotePlace): RemoteModel {
    const { mode, scripts, sessions } = this.#options
    const lineages = new Map<string, SessionLineage>()
    const lineageOf = (id: string): SessionLineage | undefined => lineages.get(id)
    const authored = mode === 'record' ? new AuthoredCalls(lineageOf, this.#override) : undefined
    let config: ReplayConfig = {}
    let replay: Replay | undefined
    const ready = (): Replay =>
      (replay ??= new Replay({
        ...config,
        ...this.#given,
        scripts: authored === undefined ? scripts : [authored.script],
        lineageOf,
        runContext: () => place.context,
        cwd: () => place.cwd,
      }))
    this.#replay = ready
    return {
      routes: authored === undefined ? recordedRoutes(sessions) : [],
      recorded: recordedCatalogue(scripts.flatMap(({ log }) => log ?? [])),
      configure: given => {
        config = given
      },
      answer: (request, lineage) => {
        const { sessionId } = request
        if (sessionId !== undefined && lineage !== undefined) lineages.set(sessionId, lineage)
        if (authored?.has(request) !== false) return ready().stream(request)
        this.#passOn(request)
        return undefined
      },
    }
  }

  #watch(ctx: object): PreparedReplay {
    const authored = new AuthoredCalls(id => storedLineage(ctx, id), this.#override)
    return prepareReplay(ctx, {
      scripts: [authored.script],
      answers: request => {
        if (authored.has(request)) return true
        this.#passOn(request)
        return false
      },
      ...this.#told,
    })
  }

  #prepare(ctx: object, config: ReplayConfig): PreparedReplay {
    const { scripts, sessions } = this.#options
    return prepareReplay(ctx, {
      ...config,
      ...this.#given,
      scripts,
      routes: recordedRoutes(sessions),
    })
  }

  /** What the run says, over what the composition does. */
  get #given() {
    const { paceMs, drift, rules } = this.#options
    return {
      ...(paceMs === undefined ? {} : { paceMs }),
      ...(drift === undefined ? {} : { drift }),
      rules,
      ...this.#told,
    }
  }

  get #told() {
    return {
      onCall: (call: ModelCall) => void this.calls.push(call),
      onError: (error: SnapshotError) => this.#failure.abort(error),
    }
  }

  get #override(): ReplayOverrideDoc | undefined {
    return this.#options.sessions[0]?.override
  }

  /** Counts a call that the provider is to answer. */
  #passOn(request: ModelRequest): void {
    this.calls.push({ sessionId: request.sessionId, request })
  }
}
