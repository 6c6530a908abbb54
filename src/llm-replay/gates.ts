import { untilAborted } from './until-aborted.ts'

/** The named signals that replayed streams wait for and that an input script gives. */
export class Gates {
  readonly #gates = new Map<string, PromiseWithResolvers<undefined>>()

  /** Gives a signal. It stays given, also to who waits for it later. */
  open(name: string): void {
    this.#gate(name).resolve(undefined)
  }

  /** Waits for a signal; an abort ends the wait with the signal's reason. */
  async wait(name: string, signal?: AbortSignal): Promise<void> {
    await untilAborted(() => this.#gate(name).promise, signal)
  }

  #gate(name: string): PromiseWithResolvers<undefined> {
    let gate = this.#gates.get(name)
    if (gate === undefined) this.#gates.set(name, (gate = Promise.withResolvers<undefined>()))
    return gate
  }
}
