import fc from 'fast-check'
import {
  packEvents,
  type JsonObject,
  type SessionEvent,
  type StorageRow,
} from '../../src/session-log/index.ts'

/** What keeps one event out of a row, or changes nothing. */
type Twist = 'none' | 'ignorable' | 'data key' | 'chunk key' | 'turn' | 'text' | 'index' | 'other type'

interface Member {
  readonly text: string
  readonly gap: number
  readonly skip: number
  readonly twist: Twist
}

const kind = fc.constantFrom('text-delta', 'reasoning-delta', 'tool-call-delta')

const block = fc.record({
  kind,
  turn: fc.constantFrom(1, 2),
  step: fc.constantFrom(1, 1, 1, 2),
  index: fc.constantFrom(0, 0, 0, 1),
  id: fc.constantFrom('a', 'a', 'b', ''),
  name: fc.constantFrom(undefined, undefined, 'read', ''),
})

type Block = typeof block extends fc.Arbitrary<infer Value> ? Value : never

const member: fc.Arbitrary<Member> = fc.record({
  text: fc.oneof(fc.constant(''), fc.string({ maxLength: 4, unit: 'binary' })),
  gap: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: -3, max: 30 }) },
    { weight: 1, arbitrary: fc.integer({ min: -(10 ** 10), max: 10 ** 10 }) },
  ),
  skip: fc.oneof(
    { weight: 12, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: -1, max: 2 }) },
  ),
  twist: fc.oneof(
    { weight: 12, arbitrary: fc.constant<Twist>('none') },
    {
      weight: 1,
      arbitrary: fc.constantFrom<Twist>(
        'ignorable',
        'data key',
        'chunk key',
        'turn',
        'text',
        'index',
        'other type',
      ),
    },
  ),
})

const segments = fc.array(fc.tuple(block, fc.array(member, { minLength: 1, maxLength: 6 })), { maxLength: 8 })

function chunkOf({ kind, index, id, name }: Block, text: string): JsonObject {
  if (kind !== 'tool-call-delta') return { type: kind, index, text }
  return { type: kind, index, id, ...(name !== undefined && { name }), argumentsDelta: text }
}

function chunkEvent(of: Block, { text, twist }: Member, seq: number, time: number): SessionEvent {
  const base = chunkOf(of, text)
  const textKey = of.kind === 'tool-call-delta' ? 'argumentsDelta' : 'text'
  const chunk = {
    ...base,
    ...(twist === 'chunk key' && { extra: 1 }),
    ...(twist === 'text' && { [textKey]: 7 }),
    ...(twist === 'index' && { index: null }),
  }
  const data = {
    turn: twist === 'turn' ? String(of.turn) : of.turn,
    step: of.step,
    chunk,
    ...(twist === 'data key' && { extra: 1 }),
  }
  const type = twist === 'other type' ? 'assistant/other' : 'assistant/chunk'
  return { type, seq, time, data, ...(twist === 'ignorable' && { ignorable: true }) }
}

/** Events that are likely to pack, now and then with a gap in seq, a clock that goes back, or a shape of their own. */
export const chunkEvents: fc.Arbitrary<SessionEvent[]> = fc
  .tuple(segments, fc.nat(5), fc.constantFrom(10 ** 12, 1_786_000_000_000))
  .map(([parts, firstSeq, firstTime]) => {
    const events: SessionEvent[] = []
    let seq = firstSeq
    let time = firstTime
    for (const [of, members] of parts) {
      for (const part of members) {
        seq = Math.max(0, seq + part.skip)
        events.push(chunkEvent(of, part, seq, time))
        seq++
        time = Math.max(0, time + part.gap)
      }
    }
    return events
  })

/** JSON as it looks once it has been written: without -0. */
const written = fc
  .dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 })
  .map(value => JSON.parse(JSON.stringify(value)) as JsonObject)

const messageSurface = fc.constantFrom<Pick<SessionEvent, 'sourceEventSeqs' | 'surfaceOp'>>(
  { surfaceOp: 'append' },
  { sourceEventSeqs: [], surfaceOp: 'append' },
  { sourceEventSeqs: [3, 0], surfaceOp: { op: 'replace', start: 4, end: 2 } },
)

const otherEvent: fc.Arbitrary<Omit<SessionEvent, 'seq' | 'time'>> = fc.oneof(
  fc
    .tuple(fc.constantFrom('user/message', 'assistant/message', 'tool/result'), written, messageSurface)
    .map(([type, data, surface]) => ({ type, data, ...surface })),
  fc
    .tuple(fc.constantFrom('turn/start', 'x', 'acme/unheard-of'), written)
    .map(([type, data]) => ({ type, data })),
  // Names that a projection removes from the row, but not from within it.
  fc.constant({
    type: 'acme/nested',
    data: { seq: 1, time: 2, seq0: 3, time0: 4, dt: [5] },
    ignorable: true as const,
  }),
)

/** The events of a whole log: seq contiguous from 0, other events among the chunks. */
export const logEvents: fc.Arbitrary<SessionEvent[]> = fc
  .array(
    fc.oneof(
      chunkEvents,
      otherEvent.map(event => [{ ...event, seq: 0, time: 1_700_000_000_000 }]),
    ),
    {
      maxLength: 6,
    },
  )
  .map(parts => parts.flat().map((event, seq) => ({ ...event, seq })))

/** The rows of a log that was stored batch by batch, as a backend does: no row goes on over a batch's end. */
export function packedInBatches(events: readonly SessionEvent[], sizes: readonly number[]): StorageRow[] {
  const rows: StorageRow[] = []
  let from = 0
  for (const size of [...sizes, events.length]) {
    for (const row of packEvents(events.slice(from, from + size))) rows.push(row)
    from += size
  }
  return rows
}
