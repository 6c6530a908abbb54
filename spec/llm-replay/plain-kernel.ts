import * as cordis from 'cordis'
import type { ModelRequest, StreamChunk } from '../../src/llm-replay/index.ts'

type Stream = AsyncIterable<StreamChunk>

/** What these specs use of the plain kernel, whose own declarations a Node resolution can't follow. */
export interface PlainContext {
  readonly llm: TinyLlm
  plugin(plugin: unknown, config?: unknown): PromiseLike<unknown> & { dispose(): unknown }
  provide(service: string, value: unknown): unknown
  waterfall(event: 'llm/stream', request: ModelRequest, last: () => Stream): Stream
}

export const { Context } = cordis as unknown as { readonly Context: new () => PlainContext }

/** A model runtime that has no adapters: whoever listens answers. */
export interface TinyLlm {
  stream(request: ModelRequest): Stream
}

/** The plugin that provides {@link TinyLlm}. */
export const tinyLlm = {
  name: 'tiny-llm',
  apply(ctx: PlainContext): void {
    const stream = (request: ModelRequest): Stream =>
      ctx.waterfall('llm/stream', request, () => {
        throw new Error('the provider was reached')
      })
    ctx.provide('llm', { stream })
  },
}

/** The plain kernel with a tiny model runtime. */
export async function plainKernel(): Promise<PlainContext> {
  const ctx = new Context()
  await ctx.plugin(tinyLlm)
  return ctx
}
