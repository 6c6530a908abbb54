import { describe, expect, it } from 'vitest'

import { SnapshotError } from '../../src/errors.ts'
import { SessionJournal, type LiveEvent, type LiveSession } from '../../src/host/journal.ts'
import { thrownBy } from '../support/thrown.ts'

const event = (type: string, seq = 0): LiveEvent => ({ type, seq, data: {} })
const open = () => new AbortController().signal

describe('SessionJournal', () => {
  it('keeps sessions in order of first sight, with their events and their parents', () => {
    const journal = new SessionJournal()
    journal.append({ id: 'b' }, event('turn/start', 0))
    journal.append({ id: 'a', parentSession: 'b' }, event('turn/start', 0))
    journal.append({ id: 'b' }, event('turn/end', 1))
    expect(journal.sessions).toEqual([
      { id: 'b', events: [event('turn/start', 0), event('turn/end', 1)] },
      { id: 'a', parentSession: 'b', events: [event('turn/start', 0)] },
    ])
  })

  it('gives a waiter what is there already', async () => {
    const journal = new SessionJournal()
    journal.append({ id: 'a' }, event('turn/start'))
    expect(await journal.until(sessions => sessions[0]?.id, open())).toBe('a')
  })

  it('tells waiters of each event as it comes, and each only until it has seen what it waits for', async () => {
    const journal = new SessionJournal()
    const looks: number[] = []
    const count = (wanted: number) => (sessions: readonly LiveSession[]) => {
      const events = sessions[0]?.events.length ?? 0
      looks.push(wanted)
      return events >= wanted ? events : undefined
    }
    const waits = [journal.until(count(1), open()), journal.until(count(2), open())]
    journal.append({ id: 'a' }, event('x', 0))
    expect(await waits[0]).toBe(1)
    journal.append({ id: 'a' }, event('x', 1))
    journal.append({ id: 'a' }, event('x', 2))
    expect(await waits[1]).toBe(2)
    looks.length = 0
    journal.append({ id: 'a' }, event('x', 3))
    expect(looks).toEqual([])
  })

  it('throws the reason of an aborted deadline, even before it waits', async () => {
    const journal = new SessionJournal()
    const reason = new Error('too late')
    const nothing = () => undefined
    expect(await thrownBy(() => journal.until(nothing, AbortSignal.abort(reason)))).toBe(reason)

    const deadline = new AbortController()
    const waiting = thrownBy(() => journal.until(nothing, deadline.signal))
    deadline.abort(reason)
    expect(await waiting).toBe(reason)
  })

  it('makes an error of a reason that is none', async () => {
    const error = await thrownBy(() => new SessionJournal().until(() => undefined, AbortSignal.abort('over')))
    expect(error).toBeInstanceOf(SnapshotError)
    expect(error).toMatchObject({ code: 'DEADLINE_EXCEEDED', message: 'over' })
  })

  it('gives an error of the look to who waits, not to the agent that logs', async () => {
    const journal = new SessionJournal()
    const waiting = thrownBy(() =>
      journal.until(sessions => {
        if (sessions.length > 0) throw new Error('bad look')
        return undefined
      }, open()),
    )
    expect(() => journal.append({ id: 'a' }, event('x'))).not.toThrow()
    expect(await waiting).toMatchObject({ message: 'bad look' })
    expect(() => journal.append({ id: 'a' }, event('x'))).not.toThrow()
  })

  it('stops listening to a deadline once the wait is over', async () => {
    const journal = new SessionJournal()
    const deadline = new AbortController()
    let added = 0
    const signal = new Proxy(deadline.signal, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key)
        if (key === 'addEventListener') added += 1
        if (key === 'removeEventListener') added -= 1
        return typeof value === 'function' ? (value.bind(target) as unknown) : value
      },
    })
    const waiting = journal.until(sessions => sessions[0], signal)
    expect(added).toBe(1)
    journal.append({ id: 'a' }, event('x'))
    await waiting
    expect(added).toBe(0)
  })
})
