interface Gate {
  readonly opened: PromiseWithResolvers<undefined>
  isOpen: boolean
  /** How many wait for it. */
  waits: number
}

/** The named signals that replayed streams wait for and that an input script gives. */
export class Gates {
  readonly #gates = new Map<string, Gate>()

  /** Names of signals that a stream waits for and that were not given. */
  get awaited(): readonly string[] {
    return [...this.#gates].filter(([, { isOpen, waits }]) => !isOpen && waits > 0).map(([name]) => name)
  }

  /** Gives a signal. It stays given, also to who waits for it later. */
  open(name: string): void {
    const gate = this.#gate(name)
    gate.isOpen = true
    gate.opened.resolve(undefined)
  }

  /** Resolves once the signal has been given; after an abort, nobody waits any more, and it may never do so. */
  async wait(name: string, signal?: AbortSignal): Promise<void> {
    const gate = this.#gate(name)
    gate.waits += 1
    const leave = (): void => void (gate.waits -= 1)
    signal?.addEventListener('abort', leave, { once: true })
    await gate.opened.promise
    signal?.removeEventListener('abort', leave)
  }

  #gate(name: string): Gate {
    let gate = this.#gates.get(name)
    if (gate === undefined) {
      gate = { opened: Promise.withResolvers<undefined>(), isOpen: false, waits: 0 }
      this.#gates.set(name, gate)
    }
    return gate
  }
}
