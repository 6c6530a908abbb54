import { JsonlSessionPersistence } from '@deepseek-ai/dsh-session-persistence-jsonl'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseSessionLog, type SessionEvent } from '../../src/session-log/index.ts'
import { logEvents } from './arbitraries.ts'
import { HEADER } from './logs.ts'

/** What the backend calls for the bytes of a new file, and then of each batch. */
interface Encoder {
  encodeMaterialization(header: object, events: readonly SessionEvent[]): Promise<Uint8Array | string>
  encodeEventBatch(events: readonly SessionEvent[]): Promise<Uint8Array | string>
}

/** The backend's own code without its folders: it needs no more of an instance than these settings. */
function encoder(compression: 'zstd' | 'none', packChunks: boolean): Encoder {
  const settings = { compression, packChunks }
  return Object.assign(Object.create(JsonlSessionPersistence.prototype) as Encoder, settings)
}

/** A file as @deepseek-ai/dsh-session-persistence-jsonl leaves it after these batches. */
async function stored(batches: readonly SessionEvent[][], writer: Encoder): Promise<Buffer> {
  const [first = [], ...others] = batches
  const parts = [await writer.encodeMaterialization(HEADER, first)]
  for (const batch of others) parts.push(await writer.encodeEventBatch(batch))
  return Buffer.concat(parts.map(part => (typeof part === 'string' ? Buffer.from(part) : part)))
}

describe('a file that the JSONL persistence of the harness has written', { timeout: 60_000 }, () => {
  it.each([
    ['zstd', true],
    ['zstd', false],
    ['none', true],
  ] as const)(
    'with compression %s and packChunks %s holds the events that it was given',
    async (compression, pack) => {
      const sizes = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 20, maxLength: 20 })
      const nonEmpty = logEvents.filter(events => events.length > 0)
      await fc.assert(
        fc.asyncProperty(nonEmpty, sizes, async (events, lengths) => {
          const batches: SessionEvent[][] = []
          let from = 0
          for (const length of [...lengths, events.length]) {
            const batch = events.slice(from, from + length)
            if (batch.length > 0) batches.push(batch)
            from += length
          }
          const bytes = await stored(batches, encoder(compression, pack))
          const log = parseSessionLog(bytes, 'session.jsonl.zstd')
          expect(log.header).toStrictEqual(HEADER)
          expect(log.events).toStrictEqual(events)
        }),
        { numRuns: 200 },
      )
    },
  )
})
