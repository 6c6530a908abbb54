import type { SnapshotError } from '../errors.ts'
import { ByteLog } from './byte-log.ts'
import { readFrameLine, tooLong, type FrameLine } from './frame-line.ts'

const LF = 0x0a

/** How long a frame may be, in bytes: 8 MiB. A client would have to hold it whole before it knows what it is. */
export const LONGEST_FRAME = 8 * 2 ** 20

/** What {@link tapOutput} gives. */
export interface OutputTap {
  /** For the client: the lines that are frames, each whole and ended by LF. Ends (or fails) where the output does. */
  readonly readable: ReadableStream<Uint8Array>
  /** All that the agent has written until now, to the byte. */
  readonly bytes: () => Uint8Array<ArrayBuffer>
  /** The same as text. Bytes that are not UTF-8 become U+FFFD. */
  readonly text: () => string
  /** When each line that is not blank came, epoch ms. */
  readonly frameTimes: readonly number[]
  /** The first line that is not a frame (`STDOUT_INVALID`), once it has come. */
  readonly firstImpureLine: SnapshotError | undefined
  /** Resolves with {@link OutputTap.firstImpureLine}. Stays pending where there is none; never rejects. */
  readonly impure: Promise<SnapshotError>
  /** What has come of a line that has no end yet, in bytes and as the beginning of its text; undefined between two lines. */
  readonly unfinished: { readonly bytes: number; readonly start: string } | undefined
  /** Resolves when the output has ended or broken, and `bytes()` is complete. Never rejects. */
  readonly ended: Promise<void>
}

/**
 * Keeps the agent's standard output to the byte while it flows on to the client, and checks that it is the protocol.
 *
 * The output is read as fast as it comes and to its end, whether or not anybody reads `readable`: what the agent writes
 * while it is being disposed is recorded as well, and a client that is gone never blocks it. A line that is not a JSON
 * object is kept in `bytes()` but not passed on. Blank lines are allowed, and not passed on either.
 *
 * @param output - the agent's standard output; the tap becomes its reader
 */
export function tapOutput(output: ReadableStream<Uint8Array>): OutputTap {
  const log = new ByteLog()
  const impure = Promise.withResolvers<SnapshotError>()
  let firstImpureLine: SnapshotError | undefined
  let lineStart = 0
  let lineNumber = 0
  let isOver = false
  const frameTimes: number[] = []
  let passOn: ReadableStreamDefaultController<Uint8Array> | undefined

  const readable = new ReadableStream<Uint8Array>({
    start: controller => {
      passOn = controller
    },
    cancel: () => {
      passOn = undefined
    },
  })

  const takeLine = (end: number): void => {
    const bytes = log.slice(lineStart, end)
    lineStart = end
    lineNumber += 1
    judge(
      bytes.byteLength > LONGEST_FRAME
        ? tooLong(LONGEST_FRAME, lineNumber)
        : readFrameLine(bytes, lineNumber),
      bytes,
    )
  }

  const judge = (line: FrameLine, bytes: Uint8Array): void => {
    if (line.kind !== 'blank') frameTimes.push(Date.now())
    if (line.kind === 'frame') passOn?.enqueue(bytes)
    if (line.kind === 'impure' && firstImpureLine === undefined) {
      firstImpureLine = line.error
      impure.resolve(line.error)
    }
  }

  const take = (chunk: Uint8Array): void => {
    const offset = log.length
    log.append(chunk)
    for (let lf = chunk.indexOf(LF); lf !== -1; lf = chunk.indexOf(LF, lf + 1)) takeLine(offset + lf + 1)
    // Nobody need wait for its end.
    if (log.length - lineStart > LONGEST_FRAME && firstImpureLine === undefined)
      judge(tooLong(LONGEST_FRAME, lineNumber + 1), new Uint8Array())
  }

  const pump = async (): Promise<void> => {
    try {
      for await (const chunk of output) take(chunk)
      if (lineStart < log.length) takeLine(log.length)
      isOver = true
      passOn?.close()
    } catch (error) {
      passOn?.error(error)
    }
  }
  const ended = pump()

  return {
    readable,
    bytes: () => log.slice(),
    text: () => new TextDecoder('utf-8', { ignoreBOM: true }).decode(log.slice()),
    frameTimes,
    get firstImpureLine() {
      return firstImpureLine
    },
    impure: impure.promise,
    get unfinished() {
      const bytes = log.length - lineStart
      if (bytes === 0 || isOver) return undefined
      return { bytes, start: new TextDecoder().decode(log.slice(lineStart, lineStart + 200)) }
    },
    ended,
  }
}
