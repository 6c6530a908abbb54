import type { Duplex } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

import type { z } from 'zod'

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
  let isBroken = false
  const takeLine = (line: string): void => {
    if (isBroken) return
    const message = parse(line, schema)
    if (message.ok) take(message.value)
    else {
      isBroken = true
      broken(message.problem)
    }
  }
  stream.on('data', (chunk: Buffer) => {
    const lines = decoder.write(chunk).split('\n')
    const last = lines.pop() ?? ''
    for (const line of lines) {
      takeLine(rest.join('') + line)
      rest = []
    }
    if (last !== '') rest.push(last)
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
  const [issue] = result.error.issues
  return { ok: false, problem: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}: ${shown}` }
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
