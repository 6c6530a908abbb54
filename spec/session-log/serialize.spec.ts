import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  parseSessionLog,
  projectSessionLog,
  serializeSessionLog,
  type SessionEvent,
} from '../../src/session-log/index.ts'
import { logEvents, packedInBatches } from './arbitraries.ts'
import { HEADER_LINE, logOf, textDelta, textOf } from './logs.ts'

const parse = (text: string) => parseSessionLog(text, 'session.jsonl')
const untimed = (events: readonly SessionEvent[]): object[] => events.map(event => ({ ...event, time: 0 }))

const turn: SessionEvent = { type: 'turn/start', seq: 0, time: 7, data: { turn: 1, seq: 5, time: 6 } }
const message: SessionEvent = {
  ignorable: true,
  surfaceOp: 'append',
  sourceEventSeqs: [1, 2, 3],
  data: { id: 'm' },
  time: 9,
  seq: 4,
  type: 'assistant/message',
}
const log = logOf([turn, textDelta(1, 'a', 8), textDelta(2, 'b', 8), textDelta(3, 'c', 7), message])

describe('serializeSessionLog', { timeout: 30_000 }, () => {
  it('writes the header line as it was, packed rows, keys in order, a trailing LF', () => {
    expect(serializeSessionLog(log)).toBe(
      `${HEADER_LINE}\n` +
        '{"type":"turn/start","seq":0,"time":7,"data":{"turn":1,"seq":5,"time":6}}\n' +
        '{"type":"text-chunks","seq0":1,"time0":8,"data":{"turn":1,"step":1,"index":0,"dt":[0,-1],"texts":["a","b","c"]}}\n' +
        '{"type":"assistant/message","seq":4,"time":9,"data":{"id":"m"},"sourceEventSeqs":[1,2,3],"surfaceOp":"append","ignorable":true}\n',
    )
  })

  it('writes a header alone', () => {
    expect(serializeSessionLog(logOf([]))).toBe(`${HEADER_LINE}\n`)
  })

  it('is undone by parseSessionLog', () => {
    fc.assert(
      fc.property(logEvents, events => {
        const { lines, ...log } = parse(serializeSessionLog(logOf(events)))
        expect(log).toStrictEqual(logOf(events))
        expect(lines).toHaveLength(events.length)
      }),
      { numRuns: 500 },
    )
  })

  it('is the same text whatever the layout was', () => {
    fc.assert(
      fc.property(logEvents, fc.array(fc.integer({ min: 1, max: 5 })), (events, batches) => {
        const canonical = serializeSessionLog(logOf(events))
        const text = textOf(...packedInBatches(events, batches)).replaceAll('\n', '\r\n\n')
        expect(serializeSessionLog(parse(text))).toBe(canonical)
        expect(serializeSessionLog(parse(canonical))).toBe(canonical)
      }),
      { numRuns: 500 },
    )
  })
})

describe('projectSessionLog', { timeout: 30_000 }, () => {
  it('removes seq and time from the rows, and nothing else', () => {
    expect(projectSessionLog(log)).toBe(
      `${HEADER_LINE}\n` +
        '{"type":"turn/start","data":{"turn":1,"seq":5,"time":6}}\n' +
        '{"type":"text-chunks","data":{"turn":1,"step":1,"index":0,"dt":[0,-1],"texts":["a","b","c"]}}\n' +
        '{"type":"assistant/message","data":{"id":"m"},"sourceEventSeqs":[1,2,3],"surfaceOp":"append","ignorable":true}\n',
    )
  })

  it('is the canonical form, row by row, without four keys', () => {
    fc.assert(
      fc.property(logEvents, events => {
        const [header, ...rows] = serializeSessionLog(logOf(events)).trimEnd().split('\n')
        const cut = rows.map(row => {
          const value = JSON.parse(row) as Record<string, unknown>
          for (const key of ['seq', 'time', 'seq0', 'time0']) Reflect.deleteProperty(value, key)
          return JSON.stringify(value)
        })
        expect(projectSessionLog(logOf(events))).toBe([header, ...cut, ''].join('\n'))
      }),
      { numRuns: 500 },
    )
  })

  it('after restoring gives the same text', () => {
    fc.assert(
      fc.property(logEvents, events => {
        const projected = projectSessionLog(logOf(events))
        expect(projectSessionLog(parse(projected))).toBe(projected)
      }),
      { numRuns: 500 },
    )
  })

  it('is restored to the same events but for their times, and from then on to the same log', () => {
    fc.assert(
      fc.property(logEvents, events => {
        const restored = parse(projectSessionLog(logOf(events)))
        expect(untimed(restored.events)).toStrictEqual(untimed(events))
        expect(parse(projectSessionLog(restored))).toStrictEqual(restored)
      }),
      { numRuns: 500 },
    )
  })

  it('keeps a header line that came with CRLF free of CR', () => {
    const text = `${HEADER_LINE}\r\r\n`
    expect(projectSessionLog(parse(text))).toBe(`${HEADER_LINE}\n`)
  })
})
