import { describe, expect, it } from 'vitest'

import { placeIn } from '../../src/inspect/place.ts'
import { logOf } from './logs.ts'

const log = logOf([
  ['turn/start', { turn: 1 }],
  ['step/start', { turn: 1, step: 2 }],
  ['todo/write', { turn: 'one' }],
])

describe('placeIn', () => {
  it('gives line, turn and step of an event, as far as there are any', () => {
    expect(placeIn(log, 0)).toEqual({ seq: 0, line: 2, turn: 1 })
    expect(placeIn(log, 1)).toEqual({ seq: 1, line: 3, turn: 1, step: 2 })
    expect(placeIn(log, 2)).toEqual({ seq: 2, line: 4 })
  })

  it('gives the line of the header for what is in no file', () => {
    const { file, header, headerLine, events } = log
    expect(placeIn({ file, header, headerLine, events }, 1)).toMatchObject({ line: 1 })
    expect(placeIn(log, 9)).toEqual({ seq: 9, line: 1 })
  })
})
