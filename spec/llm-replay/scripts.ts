import type { StreamChunk } from '../../src/llm-replay/chunk.ts'
import type { ReplayEntry } from '../../src/llm-replay/entry.ts'
import type { SessionScript } from '../../src/llm-replay/script.ts'
import { answer } from './logs.ts'

/** A script of a session, as an override would give it. */
export function script(entries: readonly ReplayEntry[], number = 0): SessionScript {
  return {
    name: number === 0 ? 'session.jsonl' : `session.${number}.jsonl`,
    number,
    id: `recorded-${number}`,
    createdAt: number,
    authored: true,
    authoredAt: new Set(entries.keys()),
    entries,
  }
}

/** A script of short answers. */
export function answers(...texts: string[]): SessionScript {
  return script(texts.map(text => ({ kind: 'chunks', chunks: answer(text) })))
}

interface AnyChunk {
  readonly type: string
  readonly text?: unknown
}

/** What the deltas of a stream say. */
export async function textOf(stream: AsyncIterable<AnyChunk>): Promise<string> {
  let text = ''
  for await (const chunk of stream) if (chunk.type === 'text-delta') text += String(chunk.text)
  return text
}

/** All chunks of a stream. */
export async function chunksOf(stream: AsyncIterable<unknown>): Promise<StreamChunk[]> {
  return (await Array.fromAsync(stream)) as StreamChunk[]
}

/** Lets everything happen that is ready to. */
export function turn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}

/** Lets that many rounds of promise reactions run, and no timer or event. */
export async function ticks(count: number): Promise<void> {
  for (let tick = 0; tick < count; tick += 1) await Promise.resolve()
}
