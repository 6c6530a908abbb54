import { describe, expect, it } from 'vitest'
import { standsForAnyId } from '../../src/transcript/any-id.ts'

describe('standsForAnyId', () => {
  it.each(['{{sessionId}}', '00000000-0000-0000-0000-000000000000'])('is true of %s', id => {
    expect(standsForAnyId(id)).toBe(true)
  })

  it.each([
    '',
    '{{sessionId}} ',
    '{{cwd}}',
    'session-1',
    '00000000-0000-0000-0000-000000000001',
    '00000000-0000-0000-0000-00000000000',
    'x00000000-0000-0000-0000-000000000000',
    '0f9c7a5e-2d7b-4f0e-9a52-2f8f0a4c9d11',
  ])('is false of %j', id => {
    expect(standsForAnyId(id)).toBe(false)
  })
})
