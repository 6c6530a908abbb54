import { describe, expect, it } from 'vitest'
import { sessionDifference } from '../../src/transcript/session-frames.ts'
import { stdoutOf } from './generated.ts'

const opened = (id: number, sessionId: string) => ({ id, result: { sessionId } })
const update = (sessionId: string) => ({ method: 'session/update', params: { sessionId, update: {} } })

describe('sessionDifference', () => {
  it.each([
    [[]],
    [[opened(1, 'a'), update('a'), opened(2, 'b'), update('b'), update('a')]],
    // A session may be heard of before its answer is.
    [[update('a'), opened(1, 'a')]],
    // A client that opens none has none to be mistaken about.
    [[update('a'), update('b')]],
    [
      [
        opened(1, 'a'),
        { params: null, result: [] },
        { params: { sessionId: 7 }, result: 'x' },
        { params: {} },
      ],
    ],
  ])('has nothing to say of %j', frames => {
    expect(sessionDifference(stdoutOf(frames))).toBeUndefined()
  })

  it('tells an id that is given out twice', () => {
    expect(sessionDifference(stdoutOf([opened(1, 'a'), update('a'), opened(2, 'a')]))).toEqual({
      surface: 'ids of stdout',
      index: 2,
      path: 'result.sessionId',
      expected: 'an id of its own',
      actual: 'a',
      message:
        'stdout frame 3 names the session of frame 1 once more at result.sessionId: expected an id of its own, found a',
    })
  })

  it('tells a session that nobody has opened', () => {
    expect(sessionDifference(stdoutOf([opened(1, 'a'), opened(2, 'b'), update('a'), update('c')]))).toEqual({
      surface: 'ids of stdout',
      index: 3,
      path: 'params.sessionId',
      expected: 'a',
      actual: 'c',
      message:
        'stdout frame 4 names a session that the client has not opened at params.sessionId: expected a, found c',
    })
  })
})
