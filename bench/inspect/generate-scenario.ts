import {
  projectSessionLog,
  type JsonObject,
  type SessionEvent,
  type SessionLog,
} from '../../src/session-log/index.ts'
import { generateLog } from '../session-log/generate-log.ts'
import { randomFrom, type Random } from '../support/random.ts'
import { toolOutput, words } from '../session-log/words.ts'

/** The files of a scenario folder, by name. */
export type ScenarioFiles = Record<string, string>

/**
 * The files of a scenario such as a suite has: most are a turn or two, some are long; some have children, an override, a
 * workspace.
 *
 * @param number - of the scenario; makes it unlike any other
 */
export function generateScenario(number: number): ScenarioFiles {
  const random = randomFrom(number)
  const files: ScenarioFiles = {}
  const length = random.pick([1, 1, 1, 300, 300, 1500])
  const primary = withId(ownLog(length + random.integer(0, 200)), random.uuid())
  let log = primary
  if (number % 10 === 3) {
    log = cutOff(primary)
    files['replay.override.json'] = JSON.stringify([{ kind: 'hang', readyFile: 'ready' }], null, 2)
  } else if (number % 10 === 7) {
    const entry = {
      kind: 'throw',
      chunks: [],
      message: 'no credit left (HTTP 402)',
      code: 'QUOTA',
      status: 402,
    }
    files['replay.override.json'] = JSON.stringify({ patches: [{ at: 0, entry }] }, null, 2)
  }
  files['session.jsonl'] = projectSessionLog(log)
  for (let child = 1; child <= random.pick([0, 0, 0, 1, 2]); child += 1) {
    const own = ownLog(random.integer(1, 200))
    const started = child === 2 ? forkOf(primary, own, random) : childOf(primary, own, random)
    files[`session.${child}.jsonl`] = projectSessionLog(started)
  }
  files['input.json'] = inputOf(log)
  files['stdout.expected.jsonl'] = stdoutOf(log)
  if (number % 25 === 0) files['system-prompt.expected.md'] = words(random, 1500)
  for (let file = random.pick([0, 0, 1, 3]); file > 0; file -= 1)
    files[`workspace/src/file-${file}.ts`] = toolOutput(random)
  return files
}

/** What a fixture's log is: prompt and tools are tokens in it. */
function ownLog(length: number): SessionLog {
  const log = generateLog(length)
  const events = log.events.map((event): SessionEvent => {
    if (event.type !== 'request/header') return event
    const header = {
      config: { provider: 'acme', model: 'large-1' },
      system: '{{system}}',
      tools: '{{tools}}',
    }
    return { ...event, data: { ...event.data, header } }
  })
  return { ...log, events }
}

function withId(log: SessionLog, id: string, more: Partial<SessionLog['header']> = {}): SessionLog {
  const header = { ...log.header, id, ...more }
  return { ...log, header, headerLine: JSON.stringify(header) }
}

function childOf(parent: SessionLog, log: SessionLog, random: Random): SessionLog {
  const parentSession = parent.header.id
  return withId(log, random.uuid(), { parentSession, origin: 'subagent', delegationDepth: 1 })
}

/** A child that has inherited the first half of its parent. */
function forkOf(parent: SessionLog, log: SessionLog, random: Random): SessionLog {
  const seed = parent.events.slice(0, Math.floor(parent.events.length / 2))
  const events = [...seed, ...log.events].map((event, seq) => ({ ...event, seq }))
  const child = childOf(parent, { ...log, events }, random)
  return withId(child, child.header.id, { ...child.header, seedLength: seed.length })
}

/** The log without the end of its last stream, as after an abort. */
function cutOff(log: SessionLog): SessionLog {
  const finish = log.events.findLastIndex(
    ({ data }) => (data.chunk as JsonObject | undefined)?.type === 'finish',
  )
  const { turn = 1, step = 1 } = log.events[finish]?.data ?? {}
  const ends = [
    { type: 'step/end', data: { turn, step } },
    { type: 'turn/end', data: { turn, reason: { kind: 'aborted', reason: { kind: 'user' } } } },
  ]
  const events = [...log.events.slice(0, finish - 1), ...ends.map(end => ({ ...end, seq: 0, time: 0 }))]
  return { ...log, events: events.map((event, seq) => ({ ...event, seq })) }
}

function inputOf({ events }: SessionLog): string {
  const prompts = events.filter(({ type }) => type === 'user/message')
  const steps = prompts.map(({ data }) => ({ op: 'promptContent', content: data.content }))
  return JSON.stringify({ steps: [{ op: 'initialize' }, { op: 'newSession' }, ...steps] }, null, 2)
}

/** A frame for what an agent tells its client: the pieces of its answers. */
function stdoutOf({ events }: SessionLog): string {
  const frames = events.flatMap(({ data }) => {
    const chunk = data.chunk as JsonObject | undefined
    if (chunk?.type !== 'text-delta') return []
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: chunk.text } }
    return [{ jsonrpc: '2.0', method: 'session/update', params: { sessionId: '{{sessionId}}', update } }]
  })
  return frames.map(frame => `${JSON.stringify(frame)}\n`).join('')
}
