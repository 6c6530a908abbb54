import { zstdEnding } from '../session-log/index.ts'

const LOG_NAME = /(?:^|[/\\])session(?:\.([1-9]\d*))?\.jsonl(?:\.zstd?)?$/

/**
 * 0 for `session.jsonl`, n for `session.<n>.jsonl`, wherever it lies and compressed or not; undefined for any other name.
 */
export function scriptNumberOf(file: string): number | undefined {
  const match = LOG_NAME.exec(file)
  return match === null ? undefined : Number(match[1] ?? 0)
}

/** The name that a log has where it is not compressed: what its session is called by, whatever its file is called. */
export function plainLogName(name: string): string {
  return name.replace(zstdEnding, '')
}

/** The override file that belongs to the script of that number. */
export function overrideFileOf(number: number): string {
  return number === 0 ? 'replay.override.json' : `replay.override.${number}.json`
}

/** What the log of that session is called: 0 is the primary. */
export function logNameOf(number: number): string {
  return number === 0 ? 'session.jsonl' : `session.${number}.jsonl`
}
