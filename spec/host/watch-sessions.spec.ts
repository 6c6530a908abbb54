import { EventEmitter } from 'node:events'

import { describe, expect, it } from 'vitest'

import { watchSessions } from '../../src/host/watch-sessions.ts'

describe('watchSessions', () => {
  it('tells of the events of every session of the composition, with who started it', () => {
    const options: unknown[] = []
    const events = new EventEmitter()
    const on = (event: string, listener: () => void, given: unknown): unknown => {
      options.push(given)
      return events.on(event, listener)
    }
    const told: unknown[] = []
    watchSessions({ on }, (session, event) => told.push([session, event]))
    expect(options).toEqual([{ global: true }])

    const event = { type: 'turn/end', seq: 3, data: {} }
    events.emit('session/event', { header: { id: 's1', cwd: '/x' } }, event)
    events.emit('session/event', { header: { id: 's2', parentSession: 's1' } }, event)
    expect(told).toEqual([
      [{ id: 's1' }, event],
      [{ id: 's2', parentSession: 's1' }, event],
    ])
  })
})
