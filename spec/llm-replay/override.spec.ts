import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ReplayEntry } from '../../src/llm-replay/entry.ts'
import {
  applyOverride,
  checkOverride,
  parseOverride,
  patchedPositions,
  type ReplayOverrideDoc,
} from '../../src/llm-replay/override.ts'
import { streams } from './arbitrary.ts'
import { answer } from './logs.ts'
import { thrown } from '../support/thrown.ts'

const file = 'replay.override.json'
const hang: ReplayEntry = { kind: 'hang' }
const entries: fc.Arbitrary<ReplayEntry> = streams.map(chunks => ({ kind: 'chunks', chunks }))
const scripts = fc.array(entries, { maxLength: 5 })

describe('parseOverride', () => {
  it('reads back every document', () => {
    const patch = fc.record({ at: fc.nat(), entry: entries })
    const docs: fc.Arbitrary<ReplayOverrideDoc> = fc.oneof(
      scripts,
      fc.uniqueArray(patch, { selector: ({ at }) => at, maxLength: 4 }).map(patches => ({ patches })),
    )
    fc.assert(
      fc.property(docs, doc => {
        expect(parseOverride(JSON.stringify(doc), file)).toEqual(JSON.parse(JSON.stringify(doc)))
      }),
    )
  })

  it.each([
    ['', `${file}:1:1: not valid JSON`],
    ['[{]', `${file}:1:3: not valid JSON`],
    ['[\n{"kind":"hang","kind":"hang"}]', `${file}:2:`],
    ['7', `${file}: found 7; allowed: an array of entries, or {"patches":[…]}`],
    ['null', `${file}: found null; allowed: an array of entries`],
    ['{}', `${file}: at patches: found nothing; allowed: an array of {at, entry}`],
    ['{"patches":{}}', `${file}: at patches: found an object; allowed: an array of {at, entry}`],
    ['{"patches":[],"note":1}', `${file}: unknown key "note"; allowed: patches`],
    ['[7]', `${file}: at [0]: found 7; allowed: an entry`],
    [
      '[{"kind":"hang"},{"kind":"wait"}]',
      `${file}: at [1].kind: found "wait"; allowed: "chunks", "throw", "hang"`,
    ],
    [
      '[{"kind":"hang","readyfile":"x"}]',
      `${file}: at [0]: unknown key "readyfile"; allowed: kind, readyFile`,
    ],
    ['{"patches":[{"at":0}]}', `${file}: at patches[0].entry: found nothing; allowed: an entry`],
    ['{"patches":[7]}', `${file}: at patches[0]: found 7; allowed: an object with at, entry`],
    [
      '{"patches":[{"at":-1,"entry":{"kind":"hang"}}]}',
      'at patches[0].at: found -1; allowed: a safe integer, 0 or more',
    ],
    ['{"patches":[{"at":0.5,"entry":{"kind":"hang"}}]}', 'at patches[0].at: found 0.5'],
    ['{"patches":[{"at":1e300,"entry":{"kind":"hang"}}]}', 'at patches[0].at: found 1e+300'],
    [
      '{"patches":[{"at":1,"entry":{"kind":"hang"}},{"at":1,"entry":{"kind":"hang"}}]}',
      'at patches[1].at: a second patch at 1; allowed: one patch a position',
    ],
    [
      '{"patches":[{"at":0,"entry":{"kind":"throw","chunks":[],"message":"{{fromRequest:(}}","code":"C"}}]}',
      `${file}: at patches[0].entry.message: the pattern "(" is bad`,
    ],
    [
      '[{"kind":"hang","readyFile":"{{fromRequest:x"}]',
      `${file}: at [0].readyFile: the placeholder "{{fromRequest:x" has no end`,
    ],
  ])('refuses %s', (text, message) => {
    const error = thrown(() => parseOverride(text, file))
    expect(error.code).toBe('REPLAY_INVALID')
    expect(error.message).toContain(message)
  })

  it('refuses values nested too deep for anything', () => {
    const state = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
    const text = `[{"kind":"chunks","chunks":[{"type":"finish","reason":{"kind":"stop"},"replayState":${state}}]}]`
    expect(thrown(() => parseOverride(text, file)).message).toBe(
      `${file}: values are nested too deep; allowed: 500 levels`,
    )
  })
})

describe('checkOverride', () => {
  it('checks a value in memory alike', () => {
    expect(checkOverride([hang], file)).toEqual([hang])
    expect(
      thrown(() => checkOverride({ patches: [{ at: 0, entry: {} }] }, () => 'the override')).message,
    ).toContain('the override: at patches[0].entry.kind: found nothing')
  })
})

describe('applyOverride', () => {
  it('without patches is the identity', () => {
    fc.assert(
      fc.property(scripts, script => {
        expect(applyOverride(() => script, { patches: [] })).toEqual(script)
      }),
    )
  })

  it('with its own entries as patches is the identity', () => {
    fc.assert(
      fc.property(fc.array(entries, { maxLength: 5 }), fc.func(fc.boolean()), (script, chosen) => {
        const patches = script.map((entry, at) => ({ at, entry })).filter(({ at }) => chosen(at))
        expect(applyOverride(() => script, { patches })).toEqual(script)
      }),
    )
  })

  it('changes the patched position alone, and appends at the end', () => {
    fc.assert(
      fc.property(scripts, fc.nat(), (script, place) => {
        const at = place % (script.length + 1)
        const before = [...script]
        const patched = applyOverride(() => script, { patches: [{ at, entry: hang }] })
        expect(patched).toEqual([...script.slice(0, at), hang, ...script.slice(at + 1)])
        expect(script).toEqual(before)
      }),
    )
  })

  it('that replaces does not look at the log', () => {
    const unreadable = (): ReplayEntry[] => {
      throw new Error('derived')
    }
    expect(applyOverride(unreadable, [hang])).toEqual([hang])
    expect(() => applyOverride(unreadable, { patches: [] })).toThrow('derived')
  })

  it.each([2, 3])('refuses a patch beyond the end, at %i, whatever the others append', at => {
    const script: ReplayEntry[] = [{ kind: 'chunks', chunks: answer('x') }]
    const patches = [
      { at: 1, entry: hang },
      { at, entry: hang },
    ]
    const error = thrown(() => applyOverride(() => script, { patches }, 'replay.override.1.json'))
    expect(error.message).toBe(
      `replay.override.1.json: at patches[1].at: found ${at}; allowed: 0 to 1, the number of recorded calls, which appends`,
    )
    expect(thrown(() => applyOverride(() => [], { patches })).message).toContain(file)
  })
})

describe('patchedPositions', () => {
  it('names the patched ones', () => {
    expect(patchedPositions([hang])).toBeUndefined()
    expect(patchedPositions({ patches: [{ at: 3, entry: hang }] })).toEqual(new Set([3]))
  })
})
