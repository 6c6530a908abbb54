import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/session-log/types.ts'
import { createNormalizer, headerSequence, type RequestHeader } from '../../../src/transcript/index.ts'
import { sessionLog } from '../logs.ts'

const normalizer = createNormalizer({ cwds: ['/tmp/run'], sessionIds: [] })

const tool = (name: string, description = name): JsonObject => ({ name, description })

function request(reason: string, system?: string, tools?: readonly JsonObject[]) {
  const header = { config: { model: 'm' }, ...(system !== undefined && { system }), ...(tools && { tools }) }
  return ['request/header', { header, reason }] as const
}

function headersOf(...args: Parameters<typeof sessionLog>): readonly RequestHeader[] {
  return headerSequence(sessionLog(...args), normalizer).headers
}

describe('headerSequence', () => {
  it('takes the first header and each change, normalised', () => {
    const headers = headersOf([
      ['turn/start', { turn: 1 }],
      request('initial', 'Work in /tmp/run.', [tool('read', 'below /tmp/run/x')]),
      request('change', 'Work.', []),
    ])
    expect(headers).toEqual([
      {
        seq: 1,
        reason: 'initial',
        system: 'Work in {{cwd}}.',
        tools: [tool('read', 'below {{cwd}}/x')],
      },
      { seq: 2, reason: 'change', system: 'Work.', tools: [] },
    ])
  })

  it('is empty where there was no request', () => {
    expect(headersOf([['turn/start', { turn: 1 }]])).toEqual([])
  })

  it('begins with the first header of a fork itself', () => {
    const events = [request('initial', 'parent'), ['turn/start'], request('resume', 'child')] as const
    expect(headersOf(events, { seedLength: 2 })).toMatchObject([
      { seq: 2, reason: 'resume', system: 'child' },
    ])
    expect(headersOf(events, { seedLength: 3 })).toEqual([])
  })

  it('passes over a resume that says the same, and over no other', () => {
    const headers = headersOf([
      request('initial', 'a', [tool('x')]),
      request('resume', 'a', [{ description: 'x', name: 'x' }]),
      request('resume', 'a', [tool('y')]),
      request('resume', 'b', [tool('y')]),
      request('change', 'b', [tool('y')]),
    ])
    expect(headers.map(({ seq }) => seq)).toEqual([0, 2, 3, 4])
  })

  it('leaves out what a header has not, or has in another shape', () => {
    const absent = { system: undefined, tools: undefined }
    expect(
      headersOf([
        request('initial'),
        ['request/header', { header: { system: 1, tools: '{{tools}}' } }],
        ['request/header', { header: null, reason: 3 }],
      ]),
    ).toEqual([
      { seq: 0, reason: 'initial', ...absent },
      { seq: 1, reason: '', ...absent },
      { seq: 2, reason: '', ...absent },
    ])
  })
})
