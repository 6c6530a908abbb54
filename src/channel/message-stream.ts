import type { Duplex } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

import { z } from 'zod'

/** How long a message may be, in characters: a request holds a whole conversation, with what its tools said. */
const LONGEST_MESSAGE = 64 * 2 ** 20

/**
 * Reads JSON messages off a stream, a line each, in order.
 *
 * @param take - told of each message
 * @param broken - told of the first line that is none, after which nothing more is read
 */
export function readMessages<T>(
  stream: Duplex,
  schema: z.ZodType<T>,
  take: (message: T) => void,
  broken: (problem: string) => void,
): void {
  const decoder = new StringDecoder('utf8')
  let rest: string[] = []
  let length = 0
  let isBroken = false
  const fail = (problem: string): void => {
    isBroken = true
    rest = []
    broken(problem)
  }
  const takeLine = (line: string): void => {
    if (isBroken) return
    const message = parse(line, schema)
    if (message.ok) take(message.value)
    else fail(message.problem)
  }
  stream.on('data', (chunk: Buffer) => {
    let from = 0
    const text = decoder.write(chunk)
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      takeLine(rest.join('') + text.slice(from, end))
      rest = []
      length = 0
      from = end + 1
    }
    if (isBroken) return
    rest.push(text.slice(from))
    length += text.length - from
    if (length > LONGEST_MESSAGE) fail(`longer than ${LONGEST_MESSAGE} characters`)
  })
}

type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string }

function parse<T>(line: string, schema: z.ZodType<T>): Parsed<T> {
  const shown = line.length > 200 ? `${line.slice(0, 200)}…` : line
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return { ok: false, problem: `not JSON: ${shown}` }
  }
  const result = schema.safeParse(value)
  if (result.success) return { ok: true, value: result.data }
  return { ok: false, problem: `${z.prettifyError(result.error)}: ${shown}` }
}

/**
 * Sends a message, together with all others of the same turn: an agent tells of many events at once. One that the other
 * side does not take any more is lost.
 */
export function sendMessage(stream: Duplex, message: object): void {
  if (!stream.writable) return
  if (stream.writableCorked === 0) {
    stream.cork()
    process.nextTick(() => stream.uncork())
  }
  stream.write(`${JSON.stringify(message)}\n`)
}
