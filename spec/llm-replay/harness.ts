import { Context } from '@deepseek-ai/cordis'
import LlmRuntime, { type GenerateOptions } from '@deepseek-ai/dsh-llm'

/** The harness's kernel with its model runtime, and nothing else. */
export async function harness(): Promise<Context> {
  const ctx = new Context()
  await ctx.plugin(LlmRuntime)
  return ctx
}

/** A request as a one-shot caller of the harness makes it. */
export function request(
  options: { readonly session?: string; readonly provider?: string; readonly signal?: AbortSignal } = {},
): GenerateOptions {
  const { session, provider = 'acme', signal } = options
  return {
    provider,
    model: 'm-1',
    messages: [],
    // The harness brands its session ids; nothing here makes real ones.
    ...(session === undefined ? {} : { sessionId: session as NonNullable<GenerateOptions['sessionId']> }),
    ...(signal === undefined ? {} : { signal }),
  }
}
