import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SnapshotError } from '../../src/errors.ts'
import { decodeRow, parseSessionLog, type StorageRow } from '../../src/session-log/index.ts'
import { logEvents, packedInBatches } from './arbitraries.ts'
import { HEADER, HEADER_LINE, refusal, textDelta, textOf } from './logs.ts'

const parse = (text: string) => parseSessionLog(text, 'session.jsonl')
const refused = (text: string): string => refusal(() => parse(text))
const turn = (seq: number, time = 5) => ({ type: 'turn/start', seq, time, data: { turn: 1 } })
const projectedTurn = { type: 'turn/start', data: { turn: 1 } }
const packed = {
  type: 'text-chunks',
  seq0: 1,
  time0: 9,
  data: { turn: 1, step: 1, index: 0, dt: [-2], texts: ['a', 'b'] },
}

describe('parseSessionLog', { timeout: 30_000 }, () => {
  it('reads a complete log and decodes its packed rows', () => {
    expect(parse(textOf(turn(0), packed, turn(3)))).toStrictEqual({
      file: 'session.jsonl',
      header: HEADER,
      headerLine: HEADER_LINE,
      events: [turn(0), textDelta(1, 'a', 9), textDelta(2, 'b', 7), turn(3)],
      lines: [2, 3, 3, 4],
    })
  })

  it('says of each event which line of the text holds its row', () => {
    fc.assert(
      fc.property(
        logEvents,
        fc.array(fc.integer({ min: 1, max: 5 })),
        fc.nat(2),
        (events, batches, blanks) => {
          const rows = packedInBatches(events, batches).map(row => JSON.stringify(row))
          const text = textOf(...rows.flatMap(row => [...Array.from({ length: blanks }, () => ' '), row]))
          const { lines = [] } = parse(text)
          const fromLines = lines.map(line => JSON.parse(text.split('\n')[line - 1] ?? '') as StorageRow)
          expect(lines).toHaveLength(events.length)
          for (const [seq, row] of fromLines.entries()) {
            expect(decodeRow(row, { file: 'x', line: 1 })).toContainEqual(events[seq])
          }
        },
      ),
      { numRuns: 300 },
    )
  })

  it('restores a projected log: seq is counted, time is 0', () => {
    const { events } = parse(textOf(projectedTurn, { type: packed.type, data: packed.data }, projectedTurn))
    expect(events).toStrictEqual([turn(0, 0), textDelta(1, 'a', 0), textDelta(2, 'b', -2), turn(3, 0)])
  })

  it('reads a log of a header alone, with and without its line end', () => {
    for (const text of [HEADER_LINE, `${HEADER_LINE}\n`, `${HEADER_LINE}\r`]) {
      expect(parse(text)).toMatchObject({ headerLine: HEADER_LINE, events: [] })
    }
  })

  it('takes CRLF and ignores blank lines, but counts them', () => {
    const text = `\n${HEADER_LINE}\r\n \t\r\n${JSON.stringify(turn(0))}\r\n\r\n`
    expect(parse(text)).toMatchObject({ headerLine: HEADER_LINE, events: [turn(0)] })
    expect(refused(`${text}{`)).toMatch(/^session\.jsonl:6: not JSON/)
    expect(refused('\n\n[]')).toMatch(/^session\.jsonl:3: the line is an array of 0/)
  })

  it('does not split at other line separators', () => {
    const data = { text: 'a\u2028b\u0085c' }
    expect(parse(textOf({ type: 'x', data })).events[0]?.data).toStrictEqual(data)
  })

  it('refuses an empty log', () => {
    const message = 'session.jsonl:1: the log is empty; expected a session header. Record the session again'
    expect(refused('')).toBe(message)
    expect(refused(' \r\n\n')).toBe(message)
  })

  it('gives the place as data', () => {
    try {
      parse(textOf(turn(0), turn(2)))
      expect.unreachable()
    } catch (error) {
      expect(error).toBeInstanceOf(SnapshotError)
      expect(error).toMatchObject({
        code: 'SESSION_LOG_INVALID',
        details: { file: 'session.jsonl', line: 3 },
      })
    }
  })

  it('says of a byte order mark that it is one', () => {
    expect(refusal(() => parseSessionLog(`\uFEFF${textOf()}`, 'a.jsonl'))).toMatch(
      /^a\.jsonl:1: .*expected UTF-8 without the byte order mark that is here\. Save the file without it/,
    )
  })

  it('refuses more events than it has room for, before it makes them', () => {
    const row = (seq0: number, members: number) => ({
      type: 'text-chunks',
      seq0,
      time0: 0,
      data: { turn: 1, step: 1, index: 0, dt: Array(members - 1).fill(0), texts: Array(members).fill('a') },
    })
    const text = textOf(row(0, 3), row(3, 1_999_998))
    expect(text.length).toBeLessThan(2 ** 24)
    expect(refusal(() => parseSessionLog(text, 'a.jsonl'))).toBe(
      'a.jsonl:3: with this row the log has 2000001 events; expected at most 2000000. Record several shorter sessions instead',
    )
  })

  it('refuses rows of both kinds in one file', () => {
    expect(refused(textOf(turn(0), '', projectedTurn))).toBe(
      'session.jsonl:4: the row has no seq and time, but line 2 has them; expected all rows of a file to be complete or ' +
        "all to be projected. Don't join logs of both kinds: project the complete one first",
    )
    expect(refused(textOf(projectedTurn, packed))).toMatch(
      /^session\.jsonl:3: the row has seq and time, but line 2 has none/,
    )
  })

  it('refuses half a row', () => {
    expect(refused(textOf({ ...projectedTurn, seq: 0 }))).toBe(
      'session.jsonl:2: the row has a seq but no time; expected both (as an agent stores it) or neither (as a fixture ' +
        'keeps it)',
    )
    expect(refused(textOf({ ...projectedTurn, time: 0 }))).toContain('the row has a time but no seq')
    expect(refused(textOf({ type: packed.type, time0: 0, data: packed.data }))).toContain('a time but no seq')
    expect(refused(textOf({ type: packed.type, seq0: 0, data: packed.data }))).toContain('a seq but no time')
  })

  it('refuses a gap, a repetition and a wrong start', () => {
    expect(refused(textOf(turn(0), turn(2)))).toBe(
      "session.jsonl:3: the row's seq is 2; expected 1, the number of events before it. A row is missing, doubled or " +
        'out of order here',
    )
    expect(refused(textOf(turn(0), turn(0)))).toContain(":3: the row's seq is 0; expected 1")
    expect(refused(textOf(turn(1)))).toContain(":2: the row's seq is 1; expected 0")
    expect(refused(textOf(packed))).toContain(":2: the row's seq is 1; expected 0")
    expect(refused(textOf(turn(0), packed, turn(2)))).toContain(":4: the row's seq is 2; expected 3")
  })

  it('lets time go backwards', () => {
    expect(parse(textOf(turn(0, 9), turn(1, 3), turn(2, -1))).events.map(event => event.time)).toEqual([
      9, 3, -1,
    ])
  })

  it('reads 100,000 events, in one row or in many', () => {
    const count = 100_000
    const texts = Array.from({ length: count }, (_, k) => `t${k}`)
    const one = { type: 'text-chunks', data: { ...packed.data, dt: texts.slice(1).map(() => 1), texts } }
    expect(parse(textOf(one)).events[count - 1]).toStrictEqual(
      textDelta(count - 1, `t${count - 1}`, count - 1),
    )
    expect(parse(textOf(...texts.map((_, k) => turn(k)))).events).toHaveLength(count)
  })
})

describe('a value that could not be written back', () => {
  const withData = (json: string): string => textOf(`{"type":"x","data":${json}}`)

  it('is refused when it is a number beyond the doubles', () => {
    expect(refused(withData('{"a":[{"b":1},{"b":-1e999}]}'))).toBe(
      'session.jsonl:2: data.a.1.b is a number beyond the range of a double; expected one that can be written back',
    )
    expect(refused(withData('{"a":1E+400}'))).toContain(':2: data.a is a number beyond')
    expect(refused(withData(`{"a":${'9'.repeat(400)}}`))).toContain(':2: data.a is a number beyond')
  })

  it('is refused where a count or a gap belongs', () => {
    expect(refused(textOf('{"type":"x","seq":1e999,"time":0,"data":{}}'))).toContain(
      ':2: seq is Infinity; expected a safe integer >= 0',
    )
    const texts = '"dt":[-1e999],"texts":["a","b"]'
    expect(refused(textOf(`{"type":"text-chunks","data":{"turn":1,"step":1,"index":0,${texts}}}`))).toContain(
      ':2: data.dt[0] is -Infinity; expected a safe integer',
    )
  })

  it('is not mistaken for a string, or for a number that is only large', () => {
    const data = { text: '1e999', large: 1e300, small: 1e-320, none: null }
    expect(parse(textOf({ type: 'x', data })).events[0]?.data).toStrictEqual(data)
  })

  it('is refused when it is nested too deep', () => {
    const nested = (depth: number): string => `{"a":${'[{"b":'.repeat(depth)}1${'}]'.repeat(depth)}}`
    expect(parse(withData(nested(249))).events).toHaveLength(1)
    const message = 'session.jsonl:2: data is nested more than 500 levels deep; expected a shallower value'
    expect(refused(withData(nested(250)))).toBe(message)
    expect(refused(withData(`{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`))).toBe(message)
    expect(refused(withData('{"b":'.repeat(501) + '1' + '}'.repeat(501)))).toBe(message)
  })

  it('may be wide', () => {
    const data = { wide: Array.from({ length: 2000 }, () => [[]]) }
    expect(parse(textOf({ type: 'x', data })).events[0]?.data).toStrictEqual(data)
  })
})
