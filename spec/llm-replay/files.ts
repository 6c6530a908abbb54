import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { answer, callRows, logOf } from './logs.ts'

/** A folder with these files, for as long as the test runs. */
export function folderWith(files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'llm-replay-spec-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  return folder
}

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
