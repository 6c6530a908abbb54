import { SnapshotError } from '../errors.ts'
import { quote } from './shorten.ts'

// A byte order mark is not taken off and bytes that are not UTF-8 are not repaired: both would hide what was written.
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const lossy = new TextDecoder('utf-8', { ignoreBOM: true })

/** What one line of the agent's standard output is: nothing, a frame of the protocol, or something else. */
export type FrameLine =
  | { readonly kind: 'blank' }
  | { readonly kind: 'frame' }
  | { readonly kind: 'impure'; readonly error: SnapshotError }

/**
 * Says what a line is. A frame is a JSON object: JSON-RPC batches are no part of ACP, and a bare number or string is
 * something that was logged.
 *
 * @param line - the bytes, with or without the line's end
 * @param number - 1-based, for the message
 */
export function readFrameLine(line: Uint8Array, number: number): FrameLine {
  let text: string
  try {
    text = strict.decode(line)
  } catch {
    return impure(lossy.decode(line), number, 'is not UTF-8')
  }
  if (text.trim() === '') return { kind: 'blank' }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return impure(text, number, 'is not JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return impure(text, number, 'is JSON, but not an object')
  return { kind: 'frame' }
}

/** What a line is that goes on beyond what a frame may. */
export function tooLong(limit: number, line: number): FrameLine {
  const error = new SnapshotError(
    'STDOUT_INVALID',
    `standard output, line ${line}, is longer than a frame may be: more than ${limit} bytes without the end of a line. ` +
      'Have the agent send what is so long in parts, or leave it in a file.',
    { details: { line, limit } },
  )
  return { kind: 'impure', error }
}

function impure(text: string, line: number, fault: string): FrameLine {
  const shown = text.replace(/\r?\n$/, '')
  const error = new SnapshotError(
    'STDOUT_INVALID',
    `standard output, line ${line}, ${fault}: ${quote(shown)}. ` +
      'Standard output is the protocol: one JSON object a line and nothing else. ' +
      'Have whoever wrote this line write to standard error instead.',
    { details: { line, text: shown.slice(0, 1000), fault } },
  )
  return { kind: 'impure', error }
}
