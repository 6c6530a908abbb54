import { decodeLogBytes } from '../session-log/decompress.ts'
import { parseSessionLog, type SessionLog } from '../session-log/index.ts'
import type { Problems } from './problems.ts'

/** A log, or what comes before the first line of it that is wrong. */
export interface ReadLog {
  readonly log: SessionLog
  readonly partial: boolean
}

/**
 * Reads a log as far as it goes.
 *
 * @param file - what the log is called in messages
 * @returns undefined where it has no header that can be read
 */
export function readLog(bytes: Uint8Array, file: string, problems: Problems): ReadLog | undefined {
  try {
    return { log: parseSessionLog(bytes, file), partial: false }
  } catch (error) {
    const line = problems.note(error, file)
    if (line === undefined || line < 2) return undefined
    const before = decodeLogBytes(bytes, file)
      .split('\n', line - 1)
      .join('\n')
    // Where blank lines are all that comes before, the flaw is in the header itself.
    return before.trim() === '' ? undefined : { log: parseSessionLog(before, file), partial: true }
  }
}
