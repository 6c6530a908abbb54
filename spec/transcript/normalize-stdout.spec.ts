import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SnapshotError } from '../../src/errors.ts'
import { checkExpectedStdout } from '../../src/transcript/frames.ts'
import { normalizeExpectedStdout, normalizeStdout } from '../../src/transcript/normalize-stdout.ts'

const context = { cwds: ['/tmp/run'], sessionIds: ['s-1'] }

function lines(...frames: unknown[]): string {
  return frames.map(frame => `${JSON.stringify(frame)}\n`).join('')
}

describe('normalizeStdout', () => {
  it('gives compact frames with normalised strings, one a line', () => {
    expect(normalizeStdout(' { "b": "/tmp/run/x", "a": [ "s-1" ] } \r\n\n \t\n{"c":1}', context)).toBe(
      '{"b":"{{cwd}}/x","a":["{{sessionId}}"]}\n{"c":1}\n',
    )
  })

  it.each(['', '\n', ' \r\n\n'])('gives nothing for %j', raw => {
    expect(normalizeStdout(raw, context)).toBe('')
  })

  it('numbers ids by first sight, by value, both directions together', () => {
    const raw = lines(
      { id: 0, result: {} },
      { id: '0', result: {} },
      { method: 'session/update', params: { id: 7 } },
      { id: 0, method: 'session/request_permission' },
      { id: 'abc', result: {} },
      { id: null, error: {} },
    )
    expect(normalizeStdout(raw, context)).toBe(
      lines(
        { id: 1, result: {} },
        { id: 2, result: {} },
        { method: 'session/update', params: { id: 7 } },
        { id: 1, method: 'session/request_permission' },
        { id: 3, result: {} },
        { id: null, error: {} },
      ),
    )
  })

  it.each(['Server started', '[1]', '"text"', '3', 'null', '{"a":1} {"b":2}', '{"a":'])(
    'refuses %j',
    text => {
      const raw = `{"id":1}\n\n${text}\n`
      expect(() => normalizeStdout(raw, context)).toThrow(
        expect.objectContaining({
          code: 'STDOUT_INVALID',
          message: expect.stringMatching(
            /^stdout line 3 is not a frame: found .+, expected one JSON object\. .+ log to standard error instead\.$/,
          ) as string,
          details: { line: 3, text },
        }),
      )
    },
  )

  it('shortens what it refuses', () => {
    const error = catchError(() => normalizeStdout('x'.repeat(1_000_000), context))
    expect(error.message.length).toBeLessThan(500)
  })

  it('refuses a frame that nests deeper than can be followed', () => {
    const raw = `{"id":1}\n{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}\n`
    expect(catchError(() => normalizeStdout(raw, context)).message).toContain('stdout line 2 is not a frame')
  })

  it('changes nothing when applied again', () => {
    const id = fc.option(fc.oneof(fc.integer(), fc.string()))
    const frame = fc.record({ id, params: fc.jsonValue() }, { requiredKeys: [] })
    fc.assert(
      fc.property(fc.array(frame), frames => {
        const once = normalizeStdout(lines(...frames), context)
        expect(normalizeStdout(once, context)).toBe(once)
      }),
    )
  })
})

describe('what a scenario expects', () => {
  it('is normalised alike, which changes nothing of what a run has given', () => {
    const raw = lines({ id: 7, result: { sessionId: 's-1' } }, { params: { text: 'in /tmp/run' } })
    const expected = normalizeExpectedStdout(raw, context)
    expect(expected).toBe(normalizeStdout(raw, context))
    expect(normalizeExpectedStdout(expected, context)).toBe(expected)
  })

  it('keeps the numbers of its jobs, which are those of a whole run', () => {
    const raw = lines({ params: { text: 'started background job bash-8' } })
    const run = { ...context, jobIds: ['bash-9', 'bash-8'] }
    const expected = normalizeStdout(raw, run)
    expect(expected).toContain('background job bash-2')
    expect(normalizeExpectedStdout(expected, run)).toBe(expected)
  })

  it('is refused under its own name', () => {
    expect(catchError(() => normalizeExpectedStdout('{}\nnope', context))).toMatchObject({
      code: 'SCENARIO_INVALID',
      message: expect.stringMatching(
        /^stdout\.expected\.jsonl line 2 is not a frame: found "nope"/,
      ) as string,
    })
  })

  it('is checked without being normalised', () => {
    checkExpectedStdout('{"id":1}\n\n{}\n', 'one/stdout.expected.jsonl')
    expect(catchError(() => checkExpectedStdout('{}\n[]', 'one/stdout.expected.jsonl'))).toMatchObject({
      code: 'SCENARIO_INVALID',
      message: expect.stringMatching(/^one\/stdout\.expected\.jsonl line 2 is not a frame/) as string,
    })
  })
})

function catchError(run: () => unknown): SnapshotError {
  try {
    run()
  } catch (error) {
    if (error instanceof SnapshotError) return error
  }
  throw new Error('nothing was refused')
}
