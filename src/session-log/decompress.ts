import zlib from 'node:zlib'
import { SnapshotError } from '../errors.ts'
import { beginsWithZstd, zstdFrameAt } from './zstd-frames.ts'

/**
 * The most bytes of text that a log may have: 64 MiB. A few KB of Zstandard can claim any size, and what JSON makes of a
 * text may take twenty times its room.
 */
const MAX_LOG_BYTES = 64 * 2 ** 20

/**
 * The text of a log's file: UTF-8, plain or as any number of Zstandard frames, one after the other.
 *
 * @param file - what the log is called in messages
 * @param limit - the most bytes that the text may have
 * @throws SnapshotError `SESSION_LOG_INVALID` where a frame is cut off or damaged, the text is too long, or it is not UTF-8
 */
export function decodeLogBytes(bytes: Uint8Array, file: string, limit = MAX_LOG_BYTES): string {
  if (zstdEnding.test(file) && bytes.length > 0 && bytes[0] !== BRACE && !beginsWithZstd(bytes)) {
    throw notZstd(file)
  }
  const parts = [...textParts(bytes, file, limit)]
  const [first = bytes] = parts
  return decodeUtf8(parts.length === 1 ? first : Buffer.concat(parts), file)
}

/**
 * The first line of a log's file, without its line end. No more of the file than that is decompressed.
 *
 * @returns undefined where a frame before the line's end can't be read
 */
export function firstLineOf(bytes: Uint8Array): string | undefined {
  const parts: Uint8Array[] = []
  try {
    for (const part of textParts(bytes, '', MAX_LOG_BYTES)) {
      const end = part.indexOf(LF)
      parts.push(end === -1 ? part : part.subarray(0, end))
      if (end !== -1) break
    }
  } catch {
    return undefined
  }
  return Buffer.concat(parts).toString('utf8')
}

const LF = 10
/** The first byte of a log that isn't compressed, whatever its name. */
const BRACE = 0x7b

/** What a compressed log has behind its name. */
export const zstdEnding = /\.zstd?$/

/** The bytes of the text, in order, a part for each frame. */
function* textParts(bytes: Uint8Array, file: string, limit: number): Generator<Uint8Array, void> {
  if (!beginsWithZstd(bytes)) {
    if (bytes.length > limit) throw tooLong(file, limit)
    yield bytes
    return
  }
  let room = limit
  for (let at = 0; at < bytes.length;) {
    const frame = zstdFrameAt(bytes, at)
    if ('flaw' in frame) throw notWhole(file, at, frame.flaw)
    const part = frame.skippable ? undefined : decompress(bytes.subarray(at, frame.end), room)
    if (part instanceof Error) throw notWhole(file, at, `is damaged: ${part.message}`, part)
    if (part === 'too long') throw tooLong(file, limit)
    if (part !== undefined) yield part
    room -= part?.length ?? 0
    at = frame.end
  }
}

function decompress(frame: Uint8Array, room: number): Uint8Array | 'too long' | Error {
  try {
    // The decoder asks for room for one byte at least, which there is not after a text of just the limit.
    const part = zlib.zstdDecompressSync(frame, { maxOutputLength: room + 1 })
    return part.length > room ? 'too long' : part
  } catch (error) {
    const cause = error as NodeJS.ErrnoException
    return cause.code === 'ERR_BUFFER_TOO_LARGE' ? 'too long' : cause
  }
}

function decodeUtf8(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw invalid(
      file,
      'the log is not UTF-8 text; expected JSON lines in UTF-8, plain or compressed with Zstandard. Restore the file, or ' +
        'record the session again',
      cause,
    )
  }
}

function notZstd(file: string): SnapshotError {
  return invalid(
    file,
    "the file's name is that of a log compressed with Zstandard, but it does not begin with a Zstandard frame, nor with a " +
      'JSON line. Compress it anew, or restore it',
  )
}

function notWhole(file: string, at: number, flaw: string, cause?: unknown): SnapshotError {
  return invalid(
    file,
    `the Zstandard frame at byte ${at} ${flaw}; expected whole frames up to the end of the file. Restore the file, or ` +
      'record the session again',
    cause,
  )
}

function tooLong(file: string, limit: number): SnapshotError {
  return invalid(
    file,
    `the log has more than ${limit} bytes of text, the most that is read. Record several shorter sessions instead`,
  )
}

function invalid(file: string, message: string, cause?: unknown): SnapshotError {
  return new SnapshotError('SESSION_LOG_INVALID', `${file}: ${message}.`, { cause, details: { file } })
}
