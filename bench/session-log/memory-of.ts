import { execFileSync } from 'node:child_process'

/** What reading a log takes beyond its text, bytes. */
export interface Memory {
  /** The most that the process had at any time, garbage and all. */
  readonly peak: number
  /** What the results hold. */
  readonly held: number
}

/** Reads a log in a process of its own, so that its highest mark is this work's. */
export function memoryOf(text: string): Memory {
  const child = `${import.meta.dirname}/measure-memory.ts`
  const output = execFileSync(process.execPath, ['--expose-gc', child], { input: text, encoding: 'utf8' })
  return JSON.parse(output) as Memory
}
