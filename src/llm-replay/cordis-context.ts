import { SnapshotError } from '../errors.ts'
import type { StreamChunk } from './chunk.ts'
import type { ModelRequest } from './engine.ts'
import type { ReplayAdapter } from './replay-adapter.ts'

/** A listener of the `llm/stream` waterfall. */
export type StreamListener = (
  request: ModelRequest,
  next: () => AsyncIterable<StreamChunk>,
) => AsyncIterable<StreamChunk>

/** The model runtime of the harness, by structure. An agent's own runtime may lack all of it. */
export interface ModelRuntime {
  registerAdapter?(providers: readonly string[], adapter: ReplayAdapter): () => void
  listProviders?(): readonly { readonly id: string }[]
}

/** What the replay needs of a Cordis context, of either kernel. */
export interface ReplayContext {
  readonly llm: ModelRuntime
  on(event: 'llm/stream', listener: StreamListener, options?: { global?: boolean }): () => unknown
}

/**
 * Takes a Cordis context by its structure: the library imports no kernel, so that there is never a second copy.
 *
 * @throws SnapshotError with code `USAGE` where it is none, or has no `llm`
 */
export function replayContext(ctx: object): ReplayContext {
  const candidate = ctx as Partial<ReplayContext>
  if (typeof candidate.on !== 'function') {
    throw new SnapshotError(
      'USAGE',
      'installLlmReplay was given no Cordis context: it has no on(). Pass the context.',
    )
  }
  const { llm, cause } = serviceOf(candidate)
  if ((typeof llm !== 'object' && typeof llm !== 'function') || llm === null) {
    throw new SnapshotError(
      'USAGE',
      'installLlmReplay was given a context that has no llm service. Mount the model runtime first, or inject "llm".',
      { cause },
    )
  }
  return candidate as ReplayContext
}

/** A kernel throws where a plugin reads a service that it has not asked for. */
function serviceOf(ctx: { readonly llm?: unknown }): { readonly llm?: unknown; readonly cause?: unknown } {
  try {
    return { llm: ctx.llm }
  } catch (cause) {
    return { cause }
  }
}
