import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  childSession,
  eventFollowsTurnEnd,
  sessionOf,
  turnHasEnded,
  turnIsClosed,
  turnIsOpen,
} from '../../src/client/journal-looks.ts'
import type { LiveEvent, LiveSession } from '../../src/host/journal.ts'
import { SessionJournal } from '../../src/host/journal.ts'

const boundary = fc.record({
  type: fc.constantFrom('turn/start', 'turn/end', 'session/title', 'assistant/chunk'),
  turn: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
})

const isBoundary = ({ type }: LiveEvent): boolean => type === 'turn/start' || type === 'turn/end'

describe('journal looks', () => {
  it('say at every event what a reading of the whole log says', () => {
    fc.assert(
      fc.property(fc.array(boundary), fc.integer({ min: 0, max: 4 }), (rows, minimum) => {
        const events: LiveEvent[] = []
        const sessions: LiveSession[] = [{ id: 's', events }]
        const looks = {
          open: turnIsOpen(sessionOf('s'), minimum),
          closed: turnIsClosed(sessionOf('s')),
          ended: turnHasEnded(sessionOf('s'), minimum),
          titled: eventFollowsTurnEnd(sessionOf('s'), 'session/title'),
        }
        for (const [seq, { type, turn }] of rows.entries()) {
          events.push({ type, seq, data: turn === undefined ? {} : { turn } })
          const latest = events.findLast(isBoundary)
          const lastEnd = events.findLastIndex(event => event.type === 'turn/end')
          const reaches = (event: LiveEvent): boolean => Number(event.data.turn ?? 0) >= minimum
          expect(
            Object.fromEntries(Object.entries(looks).map(([name, look]) => [name, look(sessions) ?? false])),
          ).toEqual({
            open: latest?.type === 'turn/start' && reaches(latest),
            closed: latest?.type === 'turn/end',
            ended: events.some(event => event.type === 'turn/end' && reaches(event)),
            titled: lastEnd !== -1 && events.slice(lastEnd).some(event => event.type === 'session/title'),
          })
        }
      }),
    )
  })

  it('count children in order of first sight, and no primary', () => {
    const sessions: LiveSession[] = [
      { id: 'p', events: [] },
      { id: 'z', parentSession: 'p', events: [] },
      { id: 'q', events: [] },
      { id: 'a', parentSession: 'z', events: [] },
    ]
    expect([1, 2, 3].map(child => childSession(child)(sessions)?.id)).toEqual(['z', 'a', undefined])
  })

  it('wait through 100,000 events of one turn in linear time', async () => {
    const journal = new SessionJournal()
    journal.append({ id: 's' }, { type: 'turn/start', seq: 0, data: { turn: 1 } })
    const waiting = journal.until(turnIsClosed(sessionOf('s')), new AbortController().signal)
    for (let seq = 1; seq < 100_000; seq += 1)
      journal.append({ id: 's' }, { type: 'assistant/chunk', seq, data: { turn: 1 } })
    journal.append({ id: 's' }, { type: 'turn/end', seq: 100_000, data: { turn: 1 } })
    await expect(waiting).resolves.toBe(true)
  }, 5_000)
})
