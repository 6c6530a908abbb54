import { describe, expect, it } from 'vitest'
import { isZeroUuid, sessionIdRule } from '../../src/transcript/session-id-rule.ts'

const uuid = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'
const rule = sessionIdRule(['s-1', 's-12', uuid, `long:${uuid}`, ''])

describe('sessionIdRule', () => {
  it('replaces any UUID, in any case, the zero one too', () => {
    const unknown = '00000000-0000-0000-0000-000000000000'
    expect(sessionIdRule([])(`${uuid} ${uuid.toUpperCase()} ${unknown}`)).toBe(
      '{{sessionId}} {{sessionId}} {{sessionId}}',
    )
  })

  it('lets anything but letters and digits stand around it', () => {
    expect(rule(`plan_${uuid}_x /s/${uuid}.json`)).toBe('plan_{{sessionId}}_x /s/{{sessionId}}.json')
    expect(rule(`a${uuid} ${uuid}0`)).toBe(`a${uuid} ${uuid}0`)
  })

  it('takes known ids where they stand alone, the longest first', () => {
    expect(rule('s-1 s-12 (s-1) class-1 s-123')).toBe(
      '{{sessionId}} {{sessionId}} ({{sessionId}}) class-1 s-123',
    )
    expect(rule(`at long:${uuid}`)).toBe('at {{sessionId}}')
  })

  it('asks for an edge only where the id has a letter or digit', () => {
    expect(sessionIdRule(['<a>'])('x<a>y')).toBe('x{{sessionId}}y')
  })

  it('does not cut a UUID up for a short id', () => {
    expect(sessionIdRule(['3f2504e0', '4f89'])(uuid)).toBe('{{sessionId}}')
  })

  it('leaves tokens as they are, whatever the ids', () => {
    const tokens = '{{cwd}} {{sessionId}} {{system}} {{tools}} {{spillLocator:a}}'
    const ids = ['cwd', 'sessionId', 'system', 'tools', 'spillLocator', '{{sessionId}}', '}}', 'Id}}']
    expect(sessionIdRule(ids)(tokens)).toBe(tokens)
    expect(sessionIdRule(ids)('the cwd')).toBe('the {{sessionId}}')
  })
})

describe('isZeroUuid', () => {
  it.each([
    ['00000000-0000-0000-0000-000000000000', true],
    ['00000000-0000-0000-0000-000000000001', false],
    ['00000000', false],
  ])('%s: %s', (text, zero) => {
    expect(isZeroUuid(text)).toBe(zero)
  })
})
