import { answer, callRows, logOf } from './logs.ts'

/** The text of a log whose model calls were answered so. */
export function logText(
  texts: readonly string[],
  header: { readonly id?: string; createdAt?: number } = {},
): string {
  const log = logOf(
    texts.flatMap((text, step) => callRows(1, step + 1, answer(text))),
    header,
  )
  const rows = log.events.map(({ type, data }) => JSON.stringify({ type, data }))
  return [log.headerLine, ...rows, ''].join('\n')
}

/** The text of an override that replaces the script. */
export function overrideText(...texts: string[]): string {
  return JSON.stringify(texts.map(text => ({ kind: 'chunks', chunks: answer(text) })))
}
