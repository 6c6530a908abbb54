import type { SnapshotError } from '../errors.ts'
import type { NormalizationRule, NormalizeContext } from '../transcript/index.ts'
import { attachModel, type Attachment } from './attach.ts'
import type { ScriptBinding } from './choose-script.ts'
import type { StreamChunk } from './chunk.ts'
import { Config, type ReplayConfig } from './config.ts'
import { replayContext } from './cordis-context.ts'
import type { ModelCall, ModelRequest } from './engine.ts'
import type { SessionLineage } from './lineage.ts'
import { storedLineage } from './live-sessions.ts'
import { loadSessionScripts, replayFiles } from './load-scripts.ts'
import { processContext } from './process-context.ts'
import { recordedCatalogue } from './recorded-models.ts'
import { Replay } from './replay.ts'
import type { RequestDrift } from './request-check.ts'
import type { SessionScript } from './script.ts'
import { parseWith } from './zod-problems.ts'

/**
 * What {@link installLlmReplay} takes: the plugin's config, and what only code can give.
 *
 * @public
 */
export interface InstallOptions extends ReplayConfig {
  /** The scripts themselves, the primary first, in place of the files that the config names. */
  readonly scripts?: readonly SessionScript[]
  /** Routes to register where no adapter has them: the model runtime refuses a call without one. */
  readonly routes?: readonly string[]
  /** Told of each model call, before its first chunk. */
  readonly onCall?: (call: ModelCall) => void
  /** Told of an error of the replay itself, which an agent may otherwise take for one of its provider. */
  readonly onError?: (error: SnapshotError) => void
  /**
   * What is known of a live session, for the choice of its script and the comparison of its requests; by default what
   * the context's own `sessions` says. The requests of a session that nothing is known of are not compared.
   */
  readonly lineageOf?: (sessionId: string) => SessionLineage | undefined
  /**
   * What the run has of its own, as its requests hold it; by default the working directory, home and temporary folder
   * of the process, and the folders in `DSH_SNAPSHOT_SPILL_ROOT` and `DSH_SNAPSHOT_SESSIONS_ROOT`.
   */
  readonly runContext?: () => NormalizeContext
  /** Further rules of normalisation, for what is compared: they count for the recording and for the run. */
  readonly rules?: readonly NormalizationRule[]
  /** Which calls are answered: the others go on to their provider. By default all are answered. */
  readonly answers?: (request: ModelRequest) => boolean
}

/**
 * An installed replay.
 *
 * @public
 */
export interface ReplayHandle {
  /** Takes the replay out again. Installing once more starts with fresh cursors. */
  dispose(): void
  /** @throws SnapshotError with code `REPLAY_UNCONSUMED`, listing what was left */
  assertConsumed(): void
  /** Opens the gate of that name, now and for whoever waits for it later. */
  openGate(name: string): void
  /** Names of gates that a stream has waited at and that were not opened. */
  gatesAwaited(): readonly string[]
  /** Which live session has which script, in order of first call. */
  bindings(): readonly ScriptBinding[]
  /** Requests that differed from their recording, in order. */
  drifts(): readonly RequestDrift[]
}

/**
 * Answers the model calls of a composition from recorded scripts; no call reaches a provider.
 *
 * With `providers`, their routes get an adapter with that catalogue. Every call is answered, whatever its route.
 *
 * @param ctx - a Cordis context with the service `llm`; of either kernel, Loader and environment are not needed
 * @throws SnapshotError `REPLAY_INVALID` from the config or the scripts' files, or `USAGE` where the context has no `llm`
 * @public
 */
export function installLlmReplay(ctx: object, options: InstallOptions = {}): ReplayHandle {
  checkConfig(options)
  const replay = prepareReplay(ctx, options)
  replay.settle()
  return replay
}

/** The kernel checks the config of a plugin; here nobody has. */
function checkConfig(options: InstallOptions): void {
  const given = Object.entries(options).filter(([key]) => !onlyFromCode.has(key))
  parseWith(Config, Object.fromEntries(given), 'installLlmReplay, options')
}

const onlyFromCode: ReadonlySet<string> = new Set<Exclude<keyof InstallOptions, keyof ReplayConfig>>([
  'scripts',
  'routes',
  'onCall',
  'onError',
  'lineageOf',
  'runContext',
  'rules',
  'answers',
])

/** A replay that answers already, though more may be mounted after it. */
export type PreparedReplay = ReplayHandle & Attachment

/** The first half of {@link installLlmReplay}. */
export function prepareReplay(ctx: object, options: InstallOptions): PreparedReplay {
  // A context that is none is the caller's first mistake.
  replayContext(ctx)
  const scripts = options.scripts ?? loadSessionScripts(replayFiles(options, process.env))
  const replay = new Replay({
    scripts,
    paceMs: options.paceMs,
    drift: options.drift,
    rules: options.rules,
    onCall: options.onCall,
    onError: options.onError,
    lineageOf: options.lineageOf ?? (id => storedLineage(ctx, id)),
    runContext: options.runContext ?? processContext,
    cwd: () => process.cwd(),
  })
  const serve = (request: ModelRequest): AsyncIterable<StreamChunk> => replay.stream(request)
  const attachment = attachModel(ctx, {
    listener: (request, next) => (options.answers?.(request) === false ? next() : serve(request)),
    serve,
    providers: options.providers ?? [],
    recorded: recordedCatalogue(scripts.flatMap(({ log }) => log ?? [])),
    routes: options.routes ?? [],
  })
  return {
    ...attachment,
    assertConsumed: () => replay.assertConsumed(),
    openGate: name => replay.openGate(name),
    gatesAwaited: () => replay.gatesAwaited(),
    bindings: () => replay.bindings(),
    drifts: () => replay.drifts(),
  }
}
