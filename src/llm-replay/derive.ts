import { SnapshotError } from '../errors.ts'
import { eventPlace } from '../session-log/event-place.ts'
import { runsOf } from '../session-log/runs.ts'
import type { SessionEvent, SessionLog } from '../session-log/types.ts'
import { chunkProblem, type StreamChunk } from './chunk.ts'
import { summaryCall } from './derive-summary.ts'
import type { ReplayEntry } from './entry.ts'
import { checkStream, grammarProblem } from './grammar.ts'
import { overrideFileOf, scriptNumberOf } from './names.ts'
import { describe, replayInvalid } from './problem.ts'

/** A model call that a log holds, and the event with which it begins there. */
export interface DerivedCall {
  readonly entry: ReplayEntry
  readonly seq: number
}

/** What a derivation may let pass. @public */
export interface DeriveOptions {
  /** Positions whose call may lack its finish, because an override puts another entry there. */
  readonly replaced?: ReadonlySet<number> | undefined
}

interface OpenCall {
  readonly turn: number
  readonly step: number
  readonly chunks: StreamChunk[]
  /** The same with one delta for all that were read from one row: it fits where it stands if, and only if, they do. */
  readonly outline: StreamChunk[]
  /** The seq of its first chunk. */
  readonly seq: number
}

/**
 * Reads the model calls out of a session log: one entry a call, in the order of the log. A fork's own calls begin at
 * `seedLength`; a compaction summary that is marked as a model call adds one.
 *
 * @returns entries of the kind `chunks`
 * @throws SnapshotError `REPLAY_INVALID`, naming file, event, turn and step: a call without its finish (the stream
 * threw, or was aborted, when it was recorded), a malformed chunk, a broken stream grammar
 * @public
 */
export function deriveReplayScript(log: SessionLog, options: DeriveOptions = {}): ReplayEntry[] {
  return deriveCalls(log, options).map(({ entry }) => entry)
}

/** {@link deriveReplayScript}, with the place of each call. */
export function deriveCalls(log: SessionLog, options: DeriveOptions = {}): DerivedCall[] {
  const calls: DerivedCall[] = []
  let open: OpenCall | undefined

  const cutOff = (call: OpenCall, why: string): void => {
    if (options.replaced?.has(calls.length) !== true) throw unterminated(log, call, calls.length, why)
    calls.push({ entry: { kind: 'chunks', chunks: call.chunks }, seq: call.seq })
    open = undefined
  }

  const { events } = log
  const runs = runsOf(events)[Symbol.iterator]()
  let run = runs.next().value
  for (let seq = seedOf(log); seq < events.length; seq += 1) {
    const event = events[seq]
    if (event?.type === 'compaction/summary') {
      if (open !== undefined) cutOff(open, `a compaction summary follows (event ${seq})`)
      const call = summaryCall(event.data, () => `${eventPlace(log, seq)} (compaction/summary)`)
      if (call !== undefined) calls.push({ entry: { kind: 'chunks', chunks: call }, seq })
    }
    if (event?.type !== 'assistant/chunk') continue
    const { turn, step } = event.data
    if (typeof turn !== 'number' || typeof step !== 'number') throw misplaced(log, event)
    if (open !== undefined && (open.turn !== turn || open.step !== step)) {
      cutOff(open, `turn ${turn}, step ${step} begins (event ${seq})`)
    }
    open ??= { turn, step, chunks: [], outline: [], seq }
    const problem = chunkProblem(event.data.chunk)
    if (problem !== undefined)
      throw replayInvalid(`${eventPlace(log, seq)} (assistant/chunk), chunk`, problem)
    const chunk = event.data.chunk as unknown as StreamChunk
    open.chunks.push(chunk)
    open.outline.push(chunk)
    if (chunk.type === 'finish') {
      calls.push({ entry: finished(log, open, calls.length), seq: open.seq })
      open = undefined
      continue
    }
    while (run !== undefined && run.start < seq) run = runs.next().value
    if (run?.start !== seq) continue
    // The others differ from the first in their text alone, which was checked with their row.
    while (seq + 1 < run.end) open.chunks.push(events[++seq]?.data.chunk as unknown as StreamChunk)
  }
  if (open !== undefined) cutOff(open, 'the log ends')
  return calls
}

/** The seq of the first event that a fork has not inherited. */
function seedOf({ file, header, events }: SessionLog): number {
  const { seedLength = 0 } = header
  if (seedLength <= events.length) return seedLength
  throw new SnapshotError(
    'REPLAY_INVALID',
    `${file}: seedLength is ${seedLength}, but the log holds ${events.length} events; ` +
      'a fork holds all that it inherited. Restore the whole log, or record it again.',
    { details: { file, seedLength, events: events.length } },
  )
}

function misplaced(log: SessionLog, { seq, data }: SessionEvent): SnapshotError {
  const { turn, step } = data
  const [key, found] = typeof turn === 'number' ? ['step', step] : ['turn', turn]
  return replayInvalid(`${eventPlace(log, seq)} (assistant/chunk)`, {
    path: ['data', key],
    message: `found ${describe(found)}; allowed: a number`,
  })
}

function finished(log: SessionLog, call: OpenCall, position: number): ReplayEntry {
  // Only an error needs all of them, to count them.
  if (grammarProblem(call.outline) !== undefined) {
    checkStream(call.chunks, () => `${callPlace(log, call)}: ${nameOf(call, position)}`)
  }
  return { kind: 'chunks', chunks: call.chunks }
}

/** The call names its event itself. */
function callPlace(log: SessionLog, { seq }: OpenCall): string {
  return log.lines === undefined ? log.file : eventPlace(log, seq)
}

function nameOf(call: OpenCall, position: number): string {
  return `model call ${position} (turn ${call.turn}, step ${call.step}), which begins at event ${call.seq}`
}

function unterminated(log: SessionLog, call: OpenCall, position: number, why: string): SnapshotError {
  const { turn, step, seq } = call
  const override = overrideFileOf(scriptNumberOf(log.file) ?? 0)
  return new SnapshotError(
    'REPLAY_INVALID',
    `${callPlace(log, call)}: ${nameOf(call, position)}, has no finish: ${why}. Its stream threw or was aborted when it was ` +
      `recorded. Say in ${override} what answers it: a "throw" or "hang" entry, in a replacing array or as a patch ` +
      `{"at":${position},"entry":…}.`,
    { details: { file: log.file, position, turn, step, seq } },
  )
}
