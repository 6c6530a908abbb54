import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { beforeAll, describe, expect, it } from 'vitest'

import {
  compareRun,
  fixtureContext,
  normalizeSessionLog,
  packEvents,
  parseSessionLog,
  projectSessionLog,
  runScenario,
  type SessionEvent,
  type StorageRow,
} from '../../src/index.ts'
import { deriveAllRowKinds, derivedScenario, type DerivedScenario } from '../support/derive-all-row-kinds.ts'
import { eventRecorder, type RecordedEvent } from '../support/event-recorder.ts'
import { dshComposition } from '../support/paths.ts'

const committed = readFileSync(path.join(derivedScenario, 'session.jsonl'), 'utf8')

describe('the scenario all-row-kinds', () => {
  let derived: DerivedScenario
  let logged: readonly RecordedEvent[]

  beforeAll(async () => {
    const { events, composition } = eventRecorder()
    derived = await deriveAllRowKinds({ config: dshComposition, ...composition })
    logged = events
  })

  it('is byte for byte what the script makes of its source', () => {
    const files = readdirSync(derivedScenario, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => path.join(entry.parentPath, entry.name))
    const found = files.map(
      file => [path.relative(derivedScenario, file), readFileSync(file, 'utf8')] as const,
    )
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(derived.files))
  })

  it('holds a packed row of each kind', () => {
    const kinds = rowsOf(committed).map(kindOf)
    expect(new Set(kinds.filter(kind => kind.endsWith('-chunks') || kind.endsWith('named')))).toEqual(
      new Set(['text-chunks', 'reasoning-chunks', 'tool-call-chunks', 'tool-call-chunks, named']),
    )
  })

  it('holds runs that are too short to pack', () => {
    const deltas = rowsOf(committed).flatMap(row =>
      row.type === 'assistant/chunk' ? [chunkTypeOf(row)] : [],
    )
    expect(deltas.filter(type => type === 'text-delta')).toHaveLength(2)
    expect(deltas.filter(type => type === 'tool-call-delta')).toHaveLength(1)
  })

  it('decodes to the events that the agent logged, one for one', () => {
    const [session] = derived.run.transcript.sessions
    if (session === undefined) throw new Error('the run has left no log')
    const events = logged.map(({ event }) => event)
    const live = normalizeSessionLog({ ...session.raw, events }, fixtureContext(session.raw))
    const stored = parseSessionLog(committed, 'session.jsonl')
    const decoded = normalizeSessionLog(stored, fixtureContext(stored)).events
    expect(decoded).toHaveLength(events.length)
    expect(decoded).toStrictEqual(live.events)
  })

  it('packs into its own bytes again', () => {
    const log = parseSessionLog(committed, 'session.jsonl')
    expect(projectSessionLog(log)).toBe(committed)
    expect(packEvents(log.events).map(kindOf)).toEqual(rowsOf(committed).map(kindOf))
  })

  it('is equal when it is replayed from its log', async () => {
    const run = await runScenario({ scenario: derivedScenario })
    expect(run.modelCalls.map(call => call.entry)).toEqual(derived.run.modelCalls.map(call => call.entry))
    expect(compareRun(run).report()).toBe('')
  })
})

/** The body's rows as they stand in the text, without the sequence numbers that a projection leaves out. */
function rowsOf(text: string): StorageRow[] {
  const [, ...lines] = text.trimEnd().split('\n')
  return lines.map(line => JSON.parse(line) as StorageRow)
}

function kindOf(row: StorageRow): string {
  return row.type === 'tool-call-chunks' && 'name' in row.data ? 'tool-call-chunks, named' : row.type
}

function chunkTypeOf(event: StorageRow): string {
  const { chunk } = (event as SessionEvent & { readonly data: { readonly chunk: { readonly type: string } } })
    .data
  return chunk.type
}
