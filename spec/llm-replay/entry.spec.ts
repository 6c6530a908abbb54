import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseEntry } from '../../src/llm-replay/entry.ts'
import { streams } from './arbitrary.ts'
import { answer, cut } from './logs.ts'
import { thrown } from '../support/thrown.ts'

const chunks = answer('x')

function refusal(value: unknown): string {
  const error = thrown(() => parseEntry(value, 'o.json'))
  expect(error.code).toBe('REPLAY_INVALID')
  return error.message
}

describe('parseEntry', () => {
  it('accepts every well-formed stream, and every beginning of one where the call throws or hangs', () => {
    fc.assert(
      fc.property(streams, fc.nat(), (stream, length) => {
        const beginning = stream.slice(0, length % stream.length)
        for (const entry of [
          { kind: 'chunks', chunks: stream },
          { kind: 'throw', chunks: beginning, message: 'm', code: 'C' },
          { kind: 'hang', chunks: beginning },
        ]) {
          expect(parseEntry(entry, 'e')).toEqual(entry)
        }
      }),
    )
  })

  it.each([
    [{ kind: 'hang' }],
    [{ kind: 'hang', readyFile: 'a/.ready', chunks: cut, gates: [{ after: 2, name: 'go' }], delayMs: 0 }],
    [{ kind: 'hang', gates: [{ after: 2, name: 'go' }] }],
    [
      {
        kind: 'chunks',
        chunks,
        gates: [
          { after: 0, name: 'a' },
          { after: 5, name: 'b' },
        ],
        delayMs: 2_147_483_647,
      },
    ],
    [
      {
        kind: 'throw',
        chunks: cut,
        message: 'm',
        code: 'C',
        status: 100,
        providerRetryAfterMs: 1.5,
        requestId: 'r',
      },
    ],
  ])('accepts %j', entry => {
    expect(parseEntry(entry, 'e')).toEqual(entry)
  })

  it.each([
    [null, 'o.json: found null; allowed: an entry, which is an object with "kind"'],
    [{}, 'o.json: at kind: found nothing; allowed: "chunks", "throw", "hang"'],
    [{ kind: 'chunk', chunks }, 'o.json: at kind: found "chunk"; allowed: "chunks", "throw", "hang"'],
    [
      { kind: 'chunks', chunks, delay: 1 },
      'o.json: unknown key "delay"; allowed: kind, chunks, gates, delayMs',
    ],
    [{ kind: 'chunks' }, 'at chunks: found nothing; allowed: an array of chunks'],
    [{ kind: 'chunks', chunks: cut }, 'at chunks[2]: the stream grammar is broken (finish-missing)'],
    [
      { kind: 'chunks', chunks: [...cut, ...cut, { type: 'x' }] },
      'at chunks[4].type: found "x"; allowed: "block-start"',
    ],
    [
      { kind: 'chunks', chunks, delayMs: -1 },
      'at delayMs: found -1; allowed: a whole number of milliseconds from 0 to 2147483647',
    ],
    [{ kind: 'chunks', chunks, delayMs: 2 ** 31 }, 'at delayMs: found 2147483648'],
    [{ kind: 'chunks', chunks, delayMs: 0.5 }, 'at delayMs: found 0.5'],
    [{ kind: 'chunks', chunks, delayMs: '5' }, 'at delayMs: found "5"'],
    [
      { kind: 'chunks', chunks, gates: { after: 1 } },
      'at gates: found an object; allowed: an array of {after, name}',
    ],
    [
      { kind: 'chunks', chunks, gates: ['go'] },
      'at gates[0]: found "go"; allowed: an object with after, name',
    ],
    [
      { kind: 'chunks', chunks, gates: [{ after: 1, name: '' }] },
      'at gates[0].name: found ""; allowed: a non-empty string',
    ],
    [{ kind: 'chunks', chunks, gates: [{ after: '1', name: 'a' }] }, 'at gates[0].after: found "1"'],
    [{ kind: 'chunks', chunks, gates: [{ after: -1, name: 'a' }] }, 'at gates[0].after: found -1'],
    [
      { kind: 'chunks', chunks, gates: [{ after: 6, name: 'a' }] },
      'at gates[0].after: found 6; allowed: 0 to 5, the number of chunks',
    ],
    [{ kind: 'hang', gates: [{ after: 3, name: 'a' }] }, 'at gates[0].after: found 3; allowed: 0 to 2'],
    [
      { kind: 'hang', message: 'm' },
      'unknown key "message"; allowed: kind, readyFile, chunks, gates, delayMs',
    ],
    [{ kind: 'throw', message: 'm', code: 'C' }, 'at chunks: found nothing'],
    [
      { kind: 'throw', chunks: [], message: '', code: 'C' },
      'at message: found ""; allowed: a non-empty string',
    ],
    [{ kind: 'throw', chunks: [], message: 'm', code: 5 }, 'at code: found 5; allowed: a non-empty string'],
    [
      { kind: 'throw', chunks: [], message: 'm', code: 'C', status: 600 },
      'at status: found 600; allowed: a whole number from 100 to 599',
    ],
    [
      { kind: 'throw', chunks: [], message: 'm', code: 'C', providerRetryAfterMs: 0 },
      'at providerRetryAfterMs: found 0',
    ],
    [{ kind: 'throw', chunks: [], message: 'm', code: 'C', requestId: '' }, 'at requestId: found ""'],
    [{ kind: 'throw', chunks: [], message: 'm', code: 'C', gates: [] }, 'unknown key "gates"'],
    [
      { kind: 'throw', chunks: answer('x').slice(1), message: 'm', code: 'C' },
      'at chunks[0]: the stream grammar is broken (delta-without-block)',
    ],
  ])('refuses %j', (entry, message) => {
    expect(refusal(entry)).toContain(message)
  })

  it('lists what is wrong, ten places at most', () => {
    const gates = new Array(12).fill({ after: 9, name: 'a' })
    expect(refusal({ kind: 'chunks', chunks, gates }).split('\n')).toHaveLength(10)
    expect(refusal({ kind: 'throw', chunks: [], message: '', code: '' })).toBe(
      'o.json: at message: found ""; allowed: a non-empty string\no.json: at code: found ""; allowed: a non-empty string',
    )
  })

  it.each(['.ready', 'a/b/c', 'a\\b', '...', 'a..b/..c', './ready'])(
    'accepts the ready file %j',
    readyFile => {
      expect(parseEntry({ kind: 'hang', readyFile }, 'e')).toEqual({ kind: 'hang', readyFile })
    },
  )

  it.each([
    '',
    '/etc/x',
    '\\x',
    '\\\\host\\x',
    'C:x',
    'c:\\x',
    '..',
    '../x',
    'a/../x',
    'a\\..\\x',
    'a/..',
    'a\0b',
    'a/',
    '.',
    'a/.',
    7,
  ])('refuses the ready file %j', readyFile => {
    expect(refusal({ kind: 'hang', readyFile })).toContain(
      'allowed: a relative path of a file inside the working directory: not absolute, no ".." segment, no NUL',
    )
  })
})
