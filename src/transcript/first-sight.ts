/** Gives 1, 2, 3 … to keys in the order in which they are first seen. */
export class FirstSight {
  readonly #numbers = new Map<string, number>()

  numberOf(key: string): number {
    let number = this.#numbers.get(key)
    if (number === undefined) {
      number = this.#numbers.size + 1
      this.#numbers.set(key, number)
    }
    return number
  }
}
