import { SnapshotError } from '../errors.ts'
import { eventPlace } from '../session-log/event-place.ts'
import type { JsonObject, SessionEvent, SessionLog } from '../session-log/types.ts'
import { parseChunk, type StreamChunk } from './chunk.ts'
import { summaryCall } from './derive-summary.ts'
import type { ReplayEntry } from './entry.ts'
import { checkStream } from './grammar.ts'
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

  for (const event of ownEvents(log)) {
    if (event.type === 'compaction/summary') {
      if (open !== undefined) cutOff(open, `a compaction summary follows (event ${event.seq})`)
      const call = summaryCall(event.data, () => `${eventPlace(log, event.seq)} (compaction/summary)`)
      if (call !== undefined) calls.push({ entry: { kind: 'chunks', chunks: call }, seq: event.seq })
      continue
    }
    if (event.type !== 'assistant/chunk') continue
    const { turn, step } = placeInTurn(log, event)
    if (open !== undefined && (open.turn !== turn || open.step !== step)) {
      cutOff(open, `turn ${turn}, step ${step} begins (event ${event.seq})`)
    }
    open ??= { turn, step, chunks: [], seq: event.seq }
    const chunk = parseChunk(event.data.chunk, () => `${eventPlace(log, event.seq)} (assistant/chunk), chunk`)
    open.chunks.push(chunk)
    if (chunk.type === 'finish') {
      calls.push({ entry: finished(log, open, calls.length), seq: open.seq })
      open = undefined
    }
  }
  if (open !== undefined) cutOff(open, 'the log ends')
  return calls
}

function ownEvents(log: SessionLog): readonly SessionEvent[] {
  const { seedLength = 0 } = log.header
  if (seedLength <= log.events.length) return seedLength === 0 ? log.events : log.events.slice(seedLength)
  throw new SnapshotError(
    'REPLAY_INVALID',
    `${log.file}: seedLength is ${seedLength}, but the log holds ${log.events.length} events; ` +
      'a fork holds all that it inherited. Restore the whole log, or record it again.',
    { details: { file: log.file, seedLength, events: log.events.length } },
  )
}

function placeInTurn(log: SessionLog, event: SessionEvent): { readonly turn: number; readonly step: number } {
  const { turn, step }: JsonObject = event.data
  if (typeof turn === 'number' && typeof step === 'number') return { turn, step }
  const [key, found] = typeof turn === 'number' ? ['step', step] : ['turn', turn]
  throw replayInvalid(`${eventPlace(log, event.seq)} (assistant/chunk)`, {
    path: ['data', key],
    message: `found ${describe(found)}; allowed: a number`,
  })
}

function finished(log: SessionLog, call: OpenCall, position: number): ReplayEntry {
  checkStream(call.chunks, () => `${callPlace(log, call)}: ${nameOf(call, position)}`)
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
