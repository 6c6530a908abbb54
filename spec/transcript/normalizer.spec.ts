import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createNormalizer, normalizeText } from '../../src/transcript/normalizer.ts'
import type { NormalizeContext } from '../../src/transcript/normalize-context.ts'

const uuid = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'
const context: NormalizeContext = {
  cwds: ['/r', '/tmp/run', `/tmp/${uuid}`, 'C:\\run\\x', '{{cwd}}'],
  sessionIds: ['s-1', 's-', 'cwd', uuid, '{{sessionId}}', 'stdout'],
  spillRoots: ['/tmp/run/out', '/spill', `/tmp/${uuid}/o`],
}

describe('createNormalizer', () => {
  const normalizer = createNormalizer(context)

  it('works through paths, spills and ids in that order', () => {
    expect(normalizer.text(`/tmp/${uuid}/a of ${uuid}`)).toBe('{{cwd}}/a of {{sessionId}}')
    expect(normalizer.text('/tmp/run/out/session-0123456789ab/ba9876543210-read.txt')).toBe(
      '{{spillLocator:read.txt}}',
    )
    expect(normalizer.text(`/spill/session-0123456789ab/ba9876543210-${uuid}.txt`)).toBe(
      '{{spillLocator:{{sessionId}}.txt}}',
    )
  })

  it('maps string values and leaves keys, other values and unchanged objects', () => {
    const kept = { list: ['plain', { deep: null }], count: 3, on: true }
    const value = { [uuid]: [uuid, 1, ['s-1']], kept }
    const mapped = normalizer.value(value)
    expect(mapped).toEqual({ [uuid]: ['{{sessionId}}', 1, ['{{sessionId}}']], kept })
    expect(mapped).toHaveProperty('kept', kept)
    expect(normalizer.value(kept)).toBe(kept)
  })

  it('keeps a key that is called __proto__ an ordinary key', () => {
    const value = JSON.parse(`{"__proto__":{"id":"${uuid}"}}`) as Record<string, string>
    expect(JSON.stringify(normalizer.value(value))).toBe('{"__proto__":{"id":"{{sessionId}}"}}')
  })

  it('does without spill roots', () => {
    expect(normalizeText('/x/a', { cwds: ['/x'], sessionIds: [] })).toBe('{{cwd}}/a')
  })
})

describe('applied twice', () => {
  const fragments = [
    ...['/r', '/tmp/run', '/private', 'C:\\run\\x', 'C:/run/x', 'C:\\\\run\\\\x', `/tmp/${uuid}`, 'file://'],
    ...['/tmp/run/out', '/spill', '/.spill', '/session-0123456789ab', '/ba9876543210-', 'read.txt'],
    ...['/dsh-subprocess-AbC123/', 'dsh-subprocess-1-2-0a1b2c3d4e5f-stdout.log', '\\dsh-subprocess-x\\'],
    ...[uuid, uuid.toUpperCase(), 's-1', 's-', '3f2504e0', '12', '-', '_', 'a', 'cwd'],
    ...[
      '{{cwd}}',
      '{{sessionId}}',
      '{{spillLocator:',
      '{{',
      '}}',
      '{',
      '}',
      '.',
      ' ',
      '"',
      '\\',
      '\\\\',
      '/',
      ':',
      '=',
    ],
  ]
  const text = fc.oneof(
    fc.array(fc.constantFrom(...fragments), { maxLength: 12 }).map(parts => parts.join('')),
    fc.string(),
  )
  const normalizer = createNormalizer(context)

  it('is as applied once', () => {
    fc.assert(
      fc.property(text, input => {
        const once = normalizer.text(input)
        expect(normalizer.text(once)).toBe(once)
      }),
      { numRuns: 3000 },
    )
  })

  it('leaves no working directory between blanks, and no UUID', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const output = normalizer.text(`${before} /tmp/run ${uuid} ${after}`)
        expect(output).toContain(' {{cwd}} {{sessionId}} ')
      }),
    )
  })
})
