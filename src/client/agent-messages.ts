import { z } from 'zod'

/** As much of `session/update` as the client looks at. Whatever else an agent may send is the transcript's business. */
export const sessionUpdate = z.looseObject({
  update: z.looseObject({ sessionUpdate: z.string(), content: z.unknown().optional() }),
})

const textContent = z.looseObject({ type: z.literal('text'), text: z.string() })

/** The text chunks that the agent sends, for those who wait for one. */
export class AgentMessages {
  #last: string | undefined
  readonly #waiters = new Map<string, PromiseWithResolvers<void>>()

  /** The text of the latest chunk. */
  get last(): string | undefined {
    return this.#last
  }

  note({ update }: z.infer<typeof sessionUpdate>): void {
    if (update.sessionUpdate !== 'agent_message_chunk') return
    const content = textContent.safeParse(update.content)
    if (!content.success) return
    this.#last = content.data.text
    this.#waiters.get(content.data.text)?.resolve()
    this.#waiters.delete(content.data.text)
  }

  /** Resolves when a chunk with exactly this text comes, from now on. Never rejects. */
  next(text: string): Promise<void> {
    const waiter = this.#waiters.get(text) ?? Promise.withResolvers()
    this.#waiters.set(text, waiter)
    return waiter.promise
  }
}
