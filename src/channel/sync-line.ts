import { readSync, writeSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'

import { toWaitingAgent, type FromAgent, type ToWaitingAgent } from './messages.ts'

/**
 * Asks the run and waits for its answer without letting anything else of this process go on. So a recorded answer comes
 * within the turn in which it is asked for, as it does where the run and the agent are one process: what an agent does side
 * by side is then done in the same order in both.
 */
export class SyncLine {
  readonly #fd: number
  readonly #decoder = new StringDecoder('utf8')
  readonly #chunk = Buffer.alloc(65_536)
  #rest = ''

  /** @param fd - a descriptor that blocks, of a stream to the run and back */
  constructor(fd: number) {
    this.#fd = fd
  }

  /** Sends a message that nothing is answered to. */
  tell(message: FromAgent): void {
    const bytes = Buffer.from(`${JSON.stringify(message)}\n`)
    for (let at = 0; at < bytes.length;) at += writeSync(this.#fd, bytes, at)
  }

  /**
   * Sends a message, and gives what is answered.
   *
   * @throws Error where the run is gone, or what it says is no answer
   */
  ask(message: FromAgent): ToWaitingAgent {
    this.tell(message)
    return toWaitingAgent.parse(JSON.parse(this.#line()))
  }

  #line(): string {
    for (let end = this.#rest.indexOf('\n'); ; end = this.#rest.indexOf('\n')) {
      if (end >= 0) {
        const line = this.#rest.slice(0, end)
        this.#rest = this.#rest.slice(end + 1)
        return line
      }
      const length = readSync(this.#fd, this.#chunk)
      if (length === 0) throw new Error('the channel to the run is gone: its other end was closed')
      this.#rest += this.#decoder.write(this.#chunk.subarray(0, length))
    }
  }
}
