import type { SessionLog } from './types.ts'

/** Where an event stands, for messages: file and line, or its seq where the log was not read from a text. */
export function eventPlace({ file, lines }: SessionLog, seq: number): string {
  const line = lines?.[seq]
  return line === undefined ? `${file}: event ${seq}` : `${file}:${line}`
}
