/**
 * Bytes in the order they came, in one buffer that doubles as it fills: as many tiny chunks as one likes cost linear
 * time, and no object each.
 */
export class ByteLog {
  #buffer = new Uint8Array(4096)
  #length = 0

  /** How many bytes have come. */
  get length(): number {
    return this.#length
  }

  append(chunk: Uint8Array): void {
    const length = this.#length + chunk.byteLength
    if (length > this.#buffer.byteLength) {
      const wider = new Uint8Array(Math.max(length, this.#buffer.byteLength * 2))
      wider.set(this.#buffer.subarray(0, this.#length))
      this.#buffer = wider
    }
    this.#buffer.set(chunk, this.#length)
    this.#length = length
  }

  /** A copy of the bytes of [from, to). */
  slice(from = 0, to = this.#length): Uint8Array<ArrayBuffer> {
    return this.#buffer.slice(from, Math.min(to, this.#length))
  }
}
