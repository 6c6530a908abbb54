import { asArray, asObject, asText, blockTexts } from './json-parts.ts'
import { markedExitCode } from './shell-exit.ts'
import type { JsonObject, SessionEvent, SessionLog } from './types.ts'

/** One tool call of a log with its result. @public */
export interface ToolCallRecord {
  readonly seq: number
  readonly turn?: number
  readonly step?: number
  readonly callId: string
  readonly name: string
  /** Raw JSON text, as the model gave it. */
  readonly arguments: string
  /** Absent where the log has none, as of a call that was still going on. */
  readonly result?: {
    readonly seq: number
    /** The text blocks of the result, joined by LF. */
    readonly text: string
    readonly isError: boolean
    /** The harness's own error, where it made one of it. */
    readonly error?: { readonly name?: string; readonly code?: string }
    /**
     * Of a process that has ended, where the result says so: in a last line `[exit code: N]`. The harness's shells write
     * none for 0, and what has no such line may be of any tool; so 0 is never told here.
     */
    readonly exitCode?: number
  }
}

type ToolResult = NonNullable<ToolCallRecord['result']>
type OpenCall = { -readonly [Key in keyof ToolCallRecord]: ToolCallRecord[Key] }

/**
 * The tool calls of a log, in order, each with the result as the tool gave it: what a compaction made of it later is left
 * out. A fork's inherited events don't count.
 *
 * @public
 */
export function toolCallsOf({ header, events }: SessionLog): ToolCallRecord[] {
  const calls: OpenCall[] = []
  let open: OpenCall[] = []
  for (const event of events.slice(header.seedLength ?? 0)) {
    if (event.type === 'tool/call') {
      const call = callOf(event)
      if (call === undefined) continue
      calls.push(call)
      open.push(call)
    } else if (event.type === 'tool/result') {
      const message = asObject(event.data.message)
      const callId = asObject(message?.source)?.callId
      // The results of a step stand in the order of its calls, also where two have one id.
      const call = open.find(call => call.callId === callId && call.result === undefined)
      if (call !== undefined) call.result = resultOf(event, message)
    } else if (event.type === 'step/end') {
      // An id may come again in a later step.
      open = []
    }
  }
  return calls
}

/** Undefined for what is no tool call of the format. */
function callOf({ seq, data }: SessionEvent): ToolCallRecord | undefined {
  const { turn, step, callId, name, arguments: given } = data
  if (typeof callId !== 'string' || typeof name !== 'string') return undefined
  return {
    seq,
    ...(typeof turn === 'number' ? { turn } : {}),
    ...(typeof step === 'number' ? { step } : {}),
    callId,
    name,
    arguments: asText(given) ?? '',
  }
}

function resultOf({ seq, data }: SessionEvent, message: JsonObject | undefined): ToolResult {
  const block = asObject(asArray(message?.content)[0])
  const text = blockTexts(block?.content).join('\n')
  const isError = block?.isError === true
  const error = asObject(data.error)
  const exitCode = isError ? undefined : markedExitCode(text)
  return {
    seq,
    text,
    isError,
    ...(error === undefined ? {} : { error: errorOf(error) }),
    ...(exitCode === undefined ? {} : { exitCode }),
  }
}

function errorOf({ name, code }: JsonObject): NonNullable<ToolResult['error']> {
  return {
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof code === 'string' ? { code } : {}),
  }
}
