import type { ReplayProviderConfig } from './config.ts'
import { replayContext, type ModelRuntime, type StreamListener } from './cordis-context.ts'
import { replayAdapter, type ReplayAdapter } from './replay-adapter.ts'

/** What answers the model calls of a composition, and the routes that it answers on. */
export interface AttachOptions {
  readonly listener: StreamListener
  /** Answers what reaches an adapter, which nothing comes after. */
  readonly serve: ReplayAdapter['stream']
  /** Get an adapter with this catalogue at once. */
  readonly providers: readonly ReplayProviderConfig[]
  /** What recordings tell of models: for what the catalogue leaves open. */
  readonly recorded: readonly ReplayProviderConfig[]
  /** Get an adapter when all is mounted, where nobody else has one for them. */
  readonly routes: readonly string[]
}

/** Something that answers model calls already, though more may be mounted after it. */
export interface Attachment {
  /**
   * To be called when all is mounted: registers the routes that nobody has, and lets whoever has begun to listen
   * meanwhile see each call before it is answered, as with a live model.
   */
  settle(): void
  /** Takes it out again. */
  dispose(): void
}

/** Puts a listener over the model calls of a composition. */
export function attachModel(ctx: object, options: AttachOptions): Attachment {
  const context = replayContext(ctx)
  const { listener, serve, providers, recorded, routes } = options
  const adapter = replayAdapter(providers, serve, recorded)
  const listen = (): (() => unknown) => context.on('llm/stream', listener, { global: true })
  const ids = providers.map(provider => provider.id)
  const release = [register(context.llm, ids, adapter)]
  // At once: a call that an agent makes while others are still starting must not reach a provider.
  let unlisten = listen()
  let disposed = false
  return {
    settle: () => {
      if (disposed) return
      release.push(register(context.llm, missingRoutes(context.llm, routes), adapter))
      unlisten()
      unlisten = listen()
    },
    dispose: () => {
      disposed = true
      unlisten()
      for (const step of release.splice(0)) step()
    },
  }
}

function missingRoutes(llm: ModelRuntime, routes: readonly string[]): string[] {
  const taken = new Set(llm.listProviders?.().map(provider => provider.id))
  return [...new Set(routes)].filter(route => !taken.has(route))
}

function register(llm: ModelRuntime, routes: readonly string[], adapter: ReplayAdapter): () => unknown {
  if (routes.length === 0 || llm.registerAdapter === undefined) return () => undefined
  return llm.registerAdapter(routes, adapter)
}
