/** How much of it is kept, in bytes: the last part, which says what went wrong. */
const KEPT = 2 ** 20

/** What an agent may write to standard error in one run, in bytes: whoever writes more is going round in circles. */
export const MOST_STDERR = 16 * 2 ** 20

/** The last part of what an agent has written to standard error. */
export class StderrTail {
  #chunks: Uint8Array[] = []
  #kept = 0
  #total = 0

  /** How many bytes have come. */
  get total(): number {
    return this.#total
  }

  append(chunk: Uint8Array): void {
    this.#chunks.push(chunk)
    this.#total += chunk.byteLength
    this.#kept += chunk.byteLength
    // Not at each chunk: many tiny ones would cost time by their square.
    if (this.#kept > 2 * KEPT) this.#trim()
  }

  text(): string {
    this.#trim()
    const text = Buffer.concat(this.#chunks).toString('utf8')
    return this.#kept < this.#total ? `(${this.#total - this.#kept} bytes before)\n${text}` : text
  }

  #trim(): void {
    if (this.#kept <= KEPT) return
    const last = Buffer.concat(this.#chunks).subarray(-KEPT)
    this.#chunks = [last]
    this.#kept = last.byteLength
  }
}
