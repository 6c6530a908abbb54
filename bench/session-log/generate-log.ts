import type { JsonObject, SessionEvent, SessionLog } from '../../src/session-log/index.ts'
import { randomFrom, type Random } from '../support/random.ts'
import { own, toolArguments, toolOutput, words } from './words.ts'

/**
 * A log such as an agent writes in a long session: turns of several steps, each with a streamed answer and a tool call.
 *
 * @param count - how many events it has at least; the turn that passes it is brought to its end
 */
export function generateLog(count: number): SessionLog {
  const header = {
    type: 'session',
    version: 0,
    id: own.sessionId,
    createdAt: 1_790_000_000_000,
    cwd: own.cwd,
    delegationDepth: 0,
  } as const
  const log = new GrowingLog(randomFrom(count))
  for (let turn = 1; log.events.length < count; turn += 1) writeTurn(log, turn, count)
  return { file: 'session.jsonl', header, headerLine: JSON.stringify(header), events: log.events }
}

class GrowingLog {
  readonly events: SessionEvent[] = []
  readonly random: Random
  #time = 1_790_000_000_000

  constructor(random: Random) {
    this.random = random
  }

  /** @returns the event's seq */
  add(
    type: string,
    data: JsonObject,
    more: Pick<SessionEvent, 'sourceEventSeqs' | 'surfaceOp'> = {},
  ): number {
    const seq = this.events.length
    this.#time += this.random.pick([0, 0, 0, 1, 1, 2, 27, 28, 31])
    this.events.push({ type, seq, time: this.#time, data, ...more })
    return seq
  }
}

function writeTurn(log: GrowingLog, turn: number, count: number): void {
  const { random } = log
  const content = [{ type: 'text', text: words(random, 30) }]
  const prompt = { content, source: { kind: 'user' }, role: 'user', id: random.uuid() }
  log.add('agent/inbox/spliced', { target: 'next-turn', start: 0, inserted: [prompt] })
  log.add('turn/start', { turn })
  log.add('agent/inbox/spliced', { target: 'next-turn', start: 0, removedCount: 1, inserted: [] })
  const steps = random.integer(2, 12)
  for (let step = 1; step <= steps; step += 1) {
    const last = step === steps || log.events.length >= count
    log.add('step/start', { turn, step })
    if (step === 1) {
      log.add('user/message', prompt, { surfaceOp: 'append' })
      if (turn === 1) writeRequestHeader(log)
      log.add('request/context', { provider: 'acme', model: 'large-1' })
    }
    writeStep(log, turn, step, last)
    log.add('step/end', { turn, step })
    if (last) break
  }
  log.add('turn/end', { turn, reason: { kind: 'completed' } })
}

function writeRequestHeader(log: GrowingLog): void {
  const { random } = log
  const tools = ['bash', 'read', 'write', 'edit', 'todo_write'].map(name => ({
    name,
    description: words(random, 60),
    inputSchema: { type: 'object', properties: { path: { type: 'string', description: words(random, 12) } } },
  }))
  const header = { config: { provider: 'acme', model: 'large-1' }, system: words(random, 1500), tools }
  log.add('request/header', { header, reason: 'initial' })
}

/** One model call, and the tool that it calls unless it is the last of its turn. */
function writeStep(log: GrowingLog, turn: number, step: number, last: boolean): void {
  const { random } = log
  const seqs: number[] = []
  const chunk = (value: JsonObject): void => {
    seqs.push(log.add('assistant/chunk', { turn, step, chunk: value }))
  }
  const stream = (index: number, block: JsonObject, deltas: readonly JsonObject[]): void => {
    chunk({ type: 'block-start', index, blockType: block.type ?? null })
    for (const delta of deltas) chunk(delta)
    chunk({ type: 'block-end', index, block })
  }
  const spoken = (index: number, type: 'reasoning' | 'text', length: number): JsonObject => {
    const texts = Array.from({ length }, () => words(random, 1))
    const block = { type, text: texts.join('') }
    stream(
      index,
      block,
      texts.map(text => ({ type: `${type}-delta`, index, text })),
    )
    return block
  }
  const content = [spoken(0, 'reasoning', random.integer(10, 120)), spoken(1, 'text', random.integer(5, 90))]
  const id = `call_${turn}_${step}_${random.uuid().slice(0, 8)}`
  const name = random.pick(['bash', 'read', 'edit'])
  const pieces = toolArguments(random)
  const call = { type: 'tool-call', id, name, arguments: pieces.join('') }
  if (!last) {
    stream(
      2,
      call,
      pieces.map(argumentsDelta => ({ type: 'tool-call-delta', index: 2, id, name, argumentsDelta })),
    )
    content.push(call)
  }
  const usage = { inputTokens: random.integer(100, 90_000), outputTokens: seqs.length, cacheReadTokens: 2816 }
  chunk({ type: 'usage', usage })
  chunk({ type: 'finish', reason: { kind: last ? 'stop' : 'tool-calls' } })
  const source = { kind: 'model', provider: 'acme', model: 'large-1' }
  const message = { role: 'assistant', content, source, id: random.uuid() }
  log.add('assistant/message', { turn, step, message, usage }, { sourceEventSeqs: seqs, surfaceOp: 'append' })
  if (!last) writeToolCall(log, { turn, step, callId: id, name, arguments: call.arguments })
}

function writeToolCall(
  log: GrowingLog,
  call: { turn: number; step: number; callId: string; name: string; arguments: string },
): void {
  const { random } = log
  const { turn, step, callId } = call
  const seq = log.add('tool/call', call)
  const content = [{ type: 'text', text: toolOutput(random) }]
  const message = {
    source: { kind: 'tool', callId },
    content: [{ type: 'tool-result', toolCallId: callId, content, isError: false }],
    role: 'user',
    id: random.uuid(),
  }
  log.add('tool/result', { turn, step, message }, { sourceEventSeqs: [seq], surfaceOp: 'append' })
}
