import type { CompositionOptions } from '../../src/index.ts'
import { dshComposition } from './paths.ts'

interface Request {
  readonly messages: readonly { readonly content?: readonly { readonly text?: string }[] }[]
}

type Next = () => AsyncIterable<unknown>

interface Listening {
  on(
    event: 'llm/stream',
    listener: (request: Request, next: Next) => AsyncIterable<unknown>,
    options: { readonly global: true },
  ): unknown
}

/**
 * The real agent, with the first calls of two of its sessions in a given order: whichever comes too early waits until
 * the other has had its whole answer.
 *
 * @param first - the first prompt of the session that is to go first
 * @param second - that of the other one
 */
export function withCallOrder(first: string, second: string): CompositionOptions {
  const plugin = {
    name: 'call-order',
    inject: ['llm'],
    apply: (ctx: Listening) => {
      const ahead = Promise.withResolvers<undefined>()
      async function* announced(next: Next): AsyncGenerator {
        yield* next()
        ahead.resolve(undefined)
      }
      async function* held(next: Next): AsyncGenerator {
        await ahead.promise
        yield* next()
      }
      ctx.on(
        'llm/stream',
        (request, next) => {
          const prompt = request.messages[0]?.content?.[0]?.text
          if (prompt === first) return announced(next)
          return prompt === second ? held(next) : next()
        },
        { global: true },
      )
    },
  }
  return {
    config: dshComposition,
    patches: [{ insert: [{ id: 'call-order', name: 'call-order' }] }],
    modules: { 'call-order': plugin },
  }
}
