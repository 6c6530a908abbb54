import { randomFrom, type Random } from '../../bench/support/random.ts'
import { brokenFacts } from '../../src/comparison/broken-facts.ts'
import {
  normalizeSessionLog,
  normalizeStdout,
  projectSessionLog,
  type JsonObject,
  type JsonValue,
  type ScenarioRun,
  type SessionEvent,
  type SessionLog,
} from '../../src/index.ts'
import { uuidPattern } from '../../src/transcript/session-id-rule.ts'

/** What a run gave, in a form that can be changed in place. */
export interface Given {
  /** Raw logs, primary first. */
  readonly logs: SessionEvent[][]
  /** Frames of standard output. */
  readonly frames: JsonObject[]
  /** Content by path, a character for each byte. */
  readonly workspace: Map<string, string>
  stopReason: string | undefined
}

/** Takes a run apart. */
export function given(run: ScenarioRun): Given {
  const { transcript, workspace, stopReason } = run
  const lines = transcript.rawStdout.split('\n').filter(line => line !== '')
  return {
    logs: structuredClone(transcript.sessions.map(({ raw }) => [...raw.events])),
    frames: lines.map(line => JSON.parse(line) as JsonObject),
    workspace: new Map([...workspace].map(([name, bytes]) => [name, bytes.toString('latin1')])),
    stopReason,
  }
}

/** The run as it would have come out had the agent given this. */
export function withGiven(
  run: ScenarioRun,
  changed: Given,
  headers?: readonly SessionLog['header'][],
): ScenarioRun {
  const { transcript } = run
  const { context } = transcript
  const rawStdout = changed.frames.map(frame => `${JSON.stringify(frame)}\n`).join('')
  const sessions = transcript.sessions.map((session, at) => {
    const events = (changed.logs[at] ?? []).map((event, seq) => ({ ...event, seq }))
    const raw = { ...session.raw, header: headers?.[at] ?? session.raw.header, events }
    const ids = { ...context, sessionIds: [...context.sessionIds, ...(headers ?? []).map(({ id }) => id)] }
    const log = { ...normalizeSessionLog(raw, ids), file: session.name }
    return { ...session, sessionId: raw.header.id, raw, log, text: projectSessionLog(log) }
  })
  const given = {
    ...run,
    workspace: new Map([...changed.workspace].map(([name, text]) => [name, Buffer.from(text, 'latin1')])),
    stopReason: changed.stopReason,
    transcript: { ...transcript, sessions, rawStdout, stdout: normalizeStdout(rawStdout, context) },
  }
  return { ...given, brokenFacts: brokenFacts(given) }
}

/** Changes what a run gave; gives the place, or undefined where there is nothing of the kind to change. */
export type Mutation = (given: Given, random: Random) => string | undefined

/** Kinds of damage that an agent may come to do. */
export const mutations: Readonly<Record<string, Mutation>> = {
  'drop an event': onEvents((events, at) => events.splice(at, 1)),
  'add an event': onEvents((events, at, event) => events.splice(at, 0, structuredClone(event))),
  'swap two events': onEvents((events, at, event) => {
    const next = events[at + 1]
    if (next === undefined || sameButSeq(event, next)) return undefined
    events.splice(at, 2, next, event)
    return at
  }),
  'retype an event': onEvents((events, at, event) =>
    events.splice(at, 1, { ...event, type: `${event.type}-too` }),
  ),
  'change a text': onLeaves(({ path }) => !isHeaderPath(path), reword),
  'change a tool argument': onLeaves(
    ({ path, type }) => type === 'tool/call' && path === 'arguments',
    reword,
  ),
  'change a tool result': onLeaves(
    ({ type, path }) => type === 'tool/result' && path.endsWith('.text'),
    reword,
  ),
  'change the reason of a turn': onLeaves(
    ({ type, path }) => type === 'turn/end' && path === 'reason.kind',
    kind => (kind === 'completed' ? 'blocked' : 'completed'),
  ),
  'change a stop reason': (given, random) => {
    const ends = given.frames.filter(({ result }) => isObject(result) && 'stopReason' in result)
    if (ends.length === 0) return undefined
    const end = random.pick(ends)
    ;(end.result as Record<string, JsonValue>).stopReason = 'refusal'
    return `stdout ${JSON.stringify(end)}`
  },
  'change an id link': changeLink,
  'change a prompt word': onLeaves(({ path }) => path === 'header.system', reword),
  'change a schema field': onLeaves(({ path }) => path.startsWith('header.tools['), reword),
  'change a workspace file': (given, random) => {
    const names = [...given.workspace.keys()]
    if (names.length === 0) return undefined
    const name = random.pick(names)
    given.workspace.set(name, `${given.workspace.get(name)?.slice(0, -1)}~`)
    return name
  },
  'lose a workspace file': (given, random) => {
    const names = [...given.workspace.keys()]
    if (names.length === 0) return undefined
    const name = random.pick(names)
    given.workspace.delete(name)
    return name
  },
  'drop a frame': (given, random) => {
    const at = random.integer(0, given.frames.length - 1)
    given.frames.splice(at, 1)
    return `frame ${at}`
  },
  'repeat a frame': (given, random) => {
    const frame = random.pick(given.frames)
    given.frames.splice(given.frames.indexOf(frame), 0, structuredClone(frame))
    return JSON.stringify(frame)
  },
  'change the text of a frame': (given, random) => {
    const texts = given.frames.flatMap(frame =>
      leavesOf(frame).filter(({ path, value }) => path.endsWith('.text') && value !== ''),
    )
    if (texts.length === 0) return undefined
    const { path, value, set } = random.pick(texts)
    set(reword(value, random))
    return path
  },
}

/** What is another run's and no difference: other ids throughout, later times. */
export function asAnotherRun(run: ScenarioRun, seed: number): ScenarioRun {
  const random = randomFrom(seed)
  const ids = new Map<string, string>()
  // What a model was replayed to say is said in every run: its ids stay.
  const recorded = new Set(run.scenario.sessions.flatMap(({ log }) => uuidsIn(JSON.stringify(log.events))))
  const rename = <T>(value: T): T =>
    JSON.parse(
      JSON.stringify(value).replace(new RegExp(uuidPattern, 'g'), id => {
        if (recorded.has(id)) return id
        if (!ids.has(id)) ids.set(id, random.uuid())
        return ids.get(id) ?? id
      }),
    ) as T
  const changed = given(run)
  const later = random.integer(1, 100_000)
  const renamed: Given = {
    ...changed,
    logs: changed.logs.map(events => rename(events).map(event => ({ ...event, time: event.time + later }))),
    frames: rename(changed.frames),
  }
  return withGiven(
    run,
    renamed,
    run.transcript.sessions.map(({ raw }) => rename(raw.header)),
  )
}

function uuidsIn(text: string): readonly string[] {
  return text.match(new RegExp(uuidPattern, 'g')) ?? []
}

function onEvents(change: (events: SessionEvent[], at: number, event: SessionEvent) => unknown): Mutation {
  return ({ logs }, random) => {
    const log = random.integer(0, logs.length - 1)
    const events = logs[log] ?? []
    if (events.length === 0) return undefined
    for (let tries = 0; tries < 20; tries += 1) {
      const at = random.integer(0, events.length - 1)
      const event = events[at]
      if (event !== undefined && change(events, at, event) !== undefined) return `log ${log}, event ${at}`
    }
    return undefined
  }
}

/** A string in an event or a frame. */
interface Leaf {
  readonly path: string
  readonly value: string
  readonly set: (value: string) => void
  readonly type?: string
}

function onLeaves(
  fits: (leaf: Leaf) => boolean,
  change: (value: string, random: Random) => string,
): Mutation {
  return ({ logs }, random) => {
    const found = logs.flatMap((events, log) =>
      events.flatMap(({ type, data }, seq) =>
        leavesOf(data).map(leaf => ({
          ...leaf,
          type,
          place: `log ${log}, event ${seq} ${type} ${leaf.path}`,
        })),
      ),
    )
    const chosen = found.filter(leaf => leaf.value !== '' && uuidsIn(leaf.value).length === 0 && fits(leaf))
    if (chosen.length === 0) return undefined
    const { value, set, place } = random.pick(chosen)
    set(change(value, random))
    return place
  }
}

function leavesOf(value: JsonValue, path = ''): Leaf[] {
  if (!isObject(value) && !Array.isArray(value)) return []
  const container = value as Record<string, JsonValue>
  return Object.entries(container).flatMap(([key, child]) => {
    const there = Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`
    if (typeof child !== 'string') return leavesOf(child, there)
    return [{ path: there, value: child, set: (text: string) => (container[key] = text) }]
  })
}

/** Other words, in some place. */
function reword(text: string, random: Random): string {
  const at = random.integer(0, text.length)
  // Not between the two units of a character, nor in an escape of JSON text.
  return /[\uD800-\uDFFF\\]/.test(text.slice(Math.max(0, at - 2), at + 1))
    ? `${text}~`
    : `${text.slice(0, at)}~${text.slice(at)}`
}

function isHeaderPath(path: string): boolean {
  return path === 'header.system' || path.startsWith('header.tools')
}

/** Lets one mention of something name something else: a new id, or that of another thing. */
function changeLink({ logs, frames }: Given, random: Random): string | undefined {
  const leaves = [...logs.flat().map(({ data }) => data), ...frames].flatMap(value => leavesOf(value))
  const mentions = leaves.filter(({ value, path }) => !isHeaderPath(path) && uuidsIn(value).length > 0)
  const counts = new Map<string, number>()
  for (const { value } of mentions) {
    for (const id of uuidsIn(value)) counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  const links = mentions.filter(({ value }) => uuidsIn(value).some(id => Number(counts.get(id)) > 1))
  if (links.length === 0) return undefined
  const { path, value, set } = random.pick(links)
  const [id = ''] = uuidsIn(value).filter(candidate => Number(counts.get(candidate)) > 1)
  const others = [random.uuid(), ...[...counts.keys()].filter(other => other !== id)]
  const other = random.pick(others)
  set(value.replace(id, other))
  return `${path}: ${id} became ${other}`
}

function sameButSeq(a: SessionEvent, b: SessionEvent): boolean {
  return JSON.stringify({ ...a, seq: 0, time: 0 }) === JSON.stringify({ ...b, seq: 0, time: 0 })
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
