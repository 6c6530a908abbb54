/** The named signals that replayed streams wait for and that an input script gives. */
export class Gates {
  readonly #gates = new Map<string, PromiseWithResolvers<undefined>>()
  /** Each wait that goes on, with the name of its signal. */
  readonly #waits = new Map<symbol, string>()

  /** Names of signals that a stream has waited for and that were not given. */
  get awaited(): readonly string[] {
    return [...new Set(this.#waits.values())]
  }

  /** Gives a signal. It stays given, also to who waits for it later. */
  open(name: string): void {
    this.#gate(name).resolve(undefined)
    for (const [wait, awaited] of this.#waits) if (awaited === name) this.#waits.delete(wait)
  }

  /** Resolves once the signal has been given; after an abort, nobody waits any more, and it may never do so. */
  async wait(name: string, signal?: AbortSignal): Promise<void> {
    const wait = Symbol(name)
    this.#waits.set(wait, name)
    signal?.addEventListener('abort', () => this.#waits.delete(wait), { once: true })
    await this.#gate(name).promise
    this.#waits.delete(wait)
  }

  #gate(name: string): PromiseWithResolvers<undefined> {
    let gate = this.#gates.get(name)
    if (gate === undefined) this.#gates.set(name, (gate = Promise.withResolvers<undefined>()))
    return gate
  }
}
