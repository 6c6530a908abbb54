/** The named signals that replayed streams wait for and that an input script gives. */
export class Gates {
  readonly #gates = new Map<string, PromiseWithResolvers<undefined>>()
  readonly #awaited = new Set<string>()

  /** Names of signals that a stream has waited for and that were not given. */
  get awaited(): readonly string[] {
    return [...this.#awaited]
  }

  /** Gives a signal. It stays given, also to who waits for it later. */
  open(name: string): void {
    this.#gate(name).resolve(undefined)
    this.#awaited.delete(name)
  }

  /** Resolves once the signal has been given; an abort is for the caller to heed. */
  async wait(name: string): Promise<void> {
    this.#awaited.add(name)
    await this.#gate(name).promise
    this.#awaited.delete(name)
  }

  #gate(name: string): PromiseWithResolvers<undefined> {
    let gate = this.#gates.get(name)
    if (gate === undefined) this.#gates.set(name, (gate = Promise.withResolvers<undefined>()))
    return gate
  }
}
