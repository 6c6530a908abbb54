import { runsOf, type DeltaRun } from '../session-log/runs.ts'
import type { SessionEvent, SessionLog } from '../session-log/types.ts'

/** Whether a log has the times of its events: a fixture has none, but for the gaps within packed rows. */
export function hasTimes({ events }: Pick<SessionLog, 'events'>): boolean {
  return (events[0]?.time ?? 0) !== 0
}

/** From one event to another, ms. */
export function msBetween(events: readonly SessionEvent[], first: number, last: number): number {
  return (events[last]?.time ?? 0) - (events[first]?.time ?? 0)
}

/** How long the streams of a log took, asked for in the order of the log. */
export class StreamTimes {
  readonly #events: readonly SessionEvent[]
  readonly #timed: boolean
  readonly #runs: readonly DeltaRun[]
  #run = 0

  constructor(log: SessionLog) {
    this.#events = log.events
    this.#timed = hasTimes(log)
    this.#runs = runsOf(log.events)
  }

  /**
   * @param seq - of the stream's first chunk
   * @param count - how many chunks it has
   * @returns ms; undefined where the log doesn't tell
   */
  of(seq: number, count: number): number | undefined {
    const last = this.#lastChunk(seq, count)
    if (this.#timed) return msBetween(this.#events, seq, last)
    let sum: number | undefined
    for (
      let run = this.#runs[this.#run];
      run !== undefined && run.start <= last;
      run = this.#runs[this.#run]
    ) {
      if (run.start >= seq) sum = (sum ?? 0) + msBetween(this.#events, run.start, run.end - 1)
      this.#run += 1
    }
    return sum
  }

  /** Other events may stand between the chunks of a stream. */
  #lastChunk(seq: number, count: number): number {
    let last = seq
    for (let at = seq, left = count; left > 0 && at < this.#events.length; at += 1) {
      if (this.#events[at]?.type !== 'assistant/chunk') continue
      left -= 1
      last = at
    }
    return last
  }
}
