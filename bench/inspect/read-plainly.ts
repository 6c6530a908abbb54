import { readFile } from 'node:fs/promises'

import { inParallel } from '../../src/inspect/in-parallel.ts'

/** Reads the files of folders and parses what is JSON: what nobody who looks at them can do without. */
export async function readPlainly(folders: readonly (readonly string[])[]): Promise<unknown> {
  return await inParallel(folders, 16, files => Promise.all(files.map(readOne)))
}

async function readOne(file: string): Promise<unknown> {
  if (!/\.jsonl?$/.test(file)) return await readFile(file)
  const text = await readFile(file, 'utf8')
  if (file.endsWith('.json')) return JSON.parse(text)
  return text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as unknown)
}
