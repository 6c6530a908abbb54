import { SnapshotError } from '../errors.ts'
import type { SnapshotErrorCode } from '../errors.ts'
import type { JsonObject } from '../session-log/types.ts'
import { shorten } from './shorten.ts'

/** What a text of frames is, for the message that refuses one of its lines. */
export interface FrameSource {
  readonly name: string
  readonly code: SnapshotErrorCode
  /** What to do about a line that is no frame: one or two sentences. */
  readonly advice: string
}

/** The agent's standard output. */
export const agentStdout: FrameSource = {
  name: 'stdout',
  code: 'STDOUT_INVALID',
  advice:
    'Something in the agent wrote to standard output, which is the protocol: log to standard error instead.',
}

/** What the scenario expects there. */
export const expectedStdout: FrameSource = {
  name: 'stdout.expected.jsonl',
  code: 'SCENARIO_INVALID',
  advice: 'Correct the line, or write the file anew from a run.',
}

/** One line of NDJSON, decoded. */
export interface Frame {
  /** 1-based. */
  readonly line: number
  readonly value: JsonObject
}

/**
 * Decodes NDJSON line by line; blank lines are dropped.
 *
 * @throws SnapshotError with the source's code at a line that is not a JSON object
 */
export function* readFrames(text: string, source: FrameSource): Generator<Frame> {
  let line = 0
  for (let start = 0, end = 0; end !== -1 && start < text.length; start = end + 1) {
    end = text.indexOf('\n', start)
    line += 1
    const raw = text.slice(start, end === -1 ? text.length : end).trim()
    if (raw !== '') yield { line, value: parseFrame(raw, line, source) }
  }
}

/**
 * Makes something of each frame, in order.
 *
 * @throws SnapshotError with the source's code at a line that is not a JSON object, or that nests deeper than the stack is
 * high
 */
export function mapFrames<T>(
  text: string,
  source: FrameSource,
  map: (frame: JsonObject, index: number) => T,
): T[] {
  const made: T[] = []
  for (const { line, value } of readFrames(text, source)) {
    try {
      made.push(map(value, made.length))
    } catch (cause) {
      if (cause instanceof SnapshotError) throw cause
      throw invalidFrame('a value nested too deep', line, source, cause)
    }
  }
  return made
}

function parseFrame(raw: string, line: number, source: FrameSource): JsonObject {
  let value: unknown
  try {
    value = JSON.parse(raw)
  } catch (cause) {
    throw invalidFrame(raw, line, source, cause)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidFrame(raw, line, source)
  return value as JsonObject
}

/**
 * Checks a text of expected frames.
 *
 * @param file - what it is called in messages
 * @throws SnapshotError `SCENARIO_INVALID` at a line that is not a JSON object
 */
export function checkExpectedStdout(text: string, file: string): void {
  const frames = readFrames(text, { ...expectedStdout, name: file })
  while (frames.next().done !== true);
}

/** The error that refuses a line. */
function invalidFrame(raw: string, line: number, source: FrameSource, cause?: unknown): SnapshotError {
  const text = shorten(raw, 200)
  return new SnapshotError(
    source.code,
    `${source.name} line ${line} is not a frame: found ${JSON.stringify(text)}, expected one JSON object. ${source.advice}`,
    { cause, details: { line, text } },
  )
}
