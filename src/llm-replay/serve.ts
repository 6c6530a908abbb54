import type { JsonValue } from '../session-log/types.ts'
import type { StreamChunk } from './chunk.ts'
import type { ReplayEntry } from './entry.ts'
import { HANG_PREFIX } from './entry-schema.ts'
import { failureOf, ReplayedFailure } from './failure.ts'
import { resolveScriptedEntry } from './placeholder.ts'
import { inWorkingDirectory } from './working-directory.ts'
import { untilAborted } from './until-aborted.ts'

/** What serving an entry does to the world; each promise may end early, by rejection, when its signal aborts. */
export interface ServeEffects {
  /** The working directory of the run. */
  cwd(): string
  /** Writes the empty file; the path is relative to the working directory, and inside it. */
  writeReadyFile(path: string): Promise<void>
  /** Resolves once the signal of that name has been given. */
  gate(name: string, signal?: AbortSignal): Promise<void>
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** One model call that a scripted entry answers. */
export interface ServedCall {
  readonly messages: readonly JsonValue[]
  readonly signal?: AbortSignal | undefined
  /** Pause before each chunk, ms, unless the entry has its own. */
  readonly paceMs: number
  /** What the entry is called in an error. */
  readonly where: string
  /** Whether somebody wrote the entry: only then are placeholders resolved. */
  readonly authored: boolean
  readonly effects: ServeEffects
}

/**
 * Streams an entry, chunk by chunk. An abort ends it before the next chunk and in every wait, with the signal's reason.
 * A hang without a signal never ends.
 *
 * @throws ReplayedFailure at the end of a `throw` entry; SnapshotError `REPLAY_INVALID` where a placeholder fails
 */
export async function* serveEntry(
  entry: ReplayEntry,
  call: ServedCall,
): AsyncGenerator<StreamChunk, void, undefined> {
  const { signal, effects, where } = call
  signal?.throwIfAborted()
  const here = inWorkingDirectory(entry, effects.cwd())
  const resolved = call.authored ? resolveScriptedEntry(here, call.messages, where) : here
  switch (resolved.kind) {
    case 'chunks':
      yield* serveChunks(resolved.chunks, resolved, call)
      return
    case 'throw':
      yield* serveChunks(resolved.chunks, {}, call)
      signal?.throwIfAborted()
      throw new ReplayedFailure(failureOf(resolved))
    case 'hang': {
      yield* serveChunks(resolved.chunks ?? HANG_PREFIX, resolved, call)
      const { readyFile } = resolved
      if (readyFile !== undefined) await untilAborted(() => effects.writeReadyFile(readyFile), signal)
      await untilAborted(() => new Promise<never>(() => undefined), signal)
    }
  }
}

type Pacing = Pick<Extract<ReplayEntry, { readonly kind: 'chunks' }>, 'gates' | 'delayMs'>

async function* serveChunks(
  chunks: readonly StreamChunk[],
  { gates = [], delayMs }: Pacing,
  { signal, paceMs, effects }: ServedCall,
): AsyncGenerator<StreamChunk, void, undefined> {
  const delay = delayMs ?? paceMs
  const passGates = async (after: number): Promise<void> => {
    for (const gate of gates) {
      if (gate.after === after) await untilAborted(() => effects.gate(gate.name, signal), signal)
    }
  }
  for (const [index, chunk] of chunks.entries()) {
    await passGates(index)
    if (delay > 0) await untilAborted(() => effects.sleep(delay, signal), signal)
    signal?.throwIfAborted()
    yield chunk
  }
  await passGates(chunks.length)
}
