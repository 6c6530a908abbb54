import { describe, expect, it } from 'vitest'
import { compareStdout } from '../../src/transcript/compare-stdout.ts'

const frames = Array.from({ length: 9 }, (_, index) => ({
  method: 'session/update',
  params: { text: `t${index}` },
}))

function text(values: readonly unknown[]): string {
  return values.map(value => `${JSON.stringify(value)}\n`).join('')
}

describe('compareStdout', () => {
  it('does not mind spaces, blank lines, the last LF, and the order of keys', () => {
    expect(compareStdout('\n{ "b": [1], "a": 2 }\r\n\n{}', '{"a":2,"b":[1]}\n{}\n')).toBeUndefined()
    expect(compareStdout('', '\n')).toBeUndefined()
  })

  it('tells the first frame that differs, where, and what stands around it', () => {
    const actual = frames.map((frame, index) =>
      index >= 4 ? { ...frame, params: { text: `u${index}` } } : frame,
    )
    expect(compareStdout(text(frames), text(actual))).toEqual({
      surface: 'stdout',
      index: 4,
      path: 'params.text',
      expected: 't4',
      actual: 'u4',
      message: 'stdout frame 5 differs at params.text: expected "t4", found "u4"',
      changes: [{ path: 'params.text', expected: 't4', actual: 'u4' }],
      counts: { unit: 'frames', expected: 9, actual: 9 },
      context: {
        before: [2, 3, 4].map(number => `${number} ${JSON.stringify(frames[number - 1])}`),
        expected: `5 ${JSON.stringify(frames[4])}`,
        actual: `5 ${JSON.stringify(actual[4])}`,
        afterExpected: [6, 7, 8].map(number => `${number} ${JSON.stringify(frames[number - 1])}`),
        afterActual: [6, 7, 8].map(number => `${number} ${JSON.stringify(actual[number - 1])}`),
      },
      whole: { expected: frames[4], actual: actual[4] },
    })
  })

  it('tells a frame that is missing', () => {
    expect(compareStdout(text(frames), text(frames.slice(0, 8)))).toMatchObject({
      index: 8,
      path: '',
      expected: frames[8],
      actual: undefined,
      message: 'stdout frame 9 is missing: expected {"method":"session/update","params":{"text":"t8"}}',
      counts: { expected: 9, actual: 8 },
    })
  })

  it('tells a frame that nobody expected', () => {
    const difference = compareStdout('', text([{ id: 1 }]))
    expect(difference).toMatchObject({
      index: 0,
      message: 'stdout frame 1 was not expected: found {"id":1}',
      context: { before: [], actual: '1 {"id":1}', afterExpected: [], afterActual: [] },
    })
    expect(difference?.context).not.toHaveProperty('expected')
  })

  it('says only the kind where the kinds differ', () => {
    const expected = { jsonrpc: '2.0', method: 'a', params: { x: 1 } }
    expect(
      compareStdout(text([expected]), text([{ jsonrpc: '2.0', method: 'b', params: [] }]))?.changes,
    ).toEqual([{ path: 'method', expected: 'a', actual: 'b' }])
  })

  it('stays short, however long the frames are', () => {
    const long = (end: string) =>
      text([{ params: { text: 'x'.repeat(1_000_000) + end, rest: 'y'.repeat(1000) } }])
    const difference = compareStdout(long('a'), long('b'))
    expect(difference?.message).toMatch(
      /^stdout frame 1 differs at params\.text: expected "…x+a", found "…x+b"$/,
    )
    expect(difference?.message.length).toBeLessThan(200)
    expect(difference?.context?.expected?.length).toBeLessThan(200)
  })

  it('refuses lines that are no frames, and says on which side', () => {
    expect(() => compareStdout('{}\nnope', '{}')).toThrow(
      expect.objectContaining({
        code: 'SCENARIO_INVALID',
        message: expect.stringMatching(
          /^stdout\.expected\.jsonl line 2 is not a frame: found "nope"/,
        ) as string,
      }),
    )
    expect(() => compareStdout('', 'nope')).toThrow(expect.objectContaining({ code: 'STDOUT_INVALID' }))
  })
})
