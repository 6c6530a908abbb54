import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { idFinder, isZeroUuid, sessionIdRule } from '../../src/transcript/session-id-rule.ts'

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
    const names = [
      'cwd',
      'home',
      'tmp',
      'sessions',
      'project',
      'sessionId',
      'system',
      'tools',
      'spillLocator',
    ]
    const tokens = `${names.map(name => `{{${name}}}`).join(' ')} {{spillLocator:a}}`
    const ids = [...names, '{{sessionId}}', '}}', 'Id}}']
    expect(sessionIdRule(ids)(tokens)).toBe(tokens)
    expect(sessionIdRule(ids)('the cwd')).toBe('the {{sessionId}}')
  })
})

describe('idFinder', () => {
  const find = idFinder(['s-1', 's-12', uuid, `long:${uuid}`, ''])

  it('finds what the rule replaces, in order, as it is spelled', () => {
    expect(find(`s-12 of ${uuid.toUpperCase()}, (s-1) at long:${uuid} and s-12`)).toEqual([
      ...['s-12', uuid.toUpperCase(), 's-1', `long:${uuid}`, 's-12'],
    ])
    expect(find('class-1 s-123')).toEqual([])
    expect(find('')).toEqual([])
  })

  it('counts a token that stands for an id, and no other token', () => {
    expect(find(`{{cwd}} {{sessionId}} {{home}} {{spillLocator:${uuid}.txt}} s-1`)).toEqual([
      ...['{{sessionId}}', uuid, 's-1'],
    ])
    expect(idFinder(['cwd', 'home'])('{{cwd}}/{{home}}, home and {{tmp}}')).toEqual(['home'])
  })

  it('finds as many as the rule puts tokens', () => {
    const text = fc
      .array(fc.constantFrom(uuid, 's-1', 's-12', '{{sessionId}}', '{{home}}', ' ', '-', 'a', '{{', '}}'))
      .map(parts => parts.join(''))
    fc.assert(
      fc.property(text, input => {
        expect(rule(input).split('{{sessionId}}').length - 1).toBe(find(input).length)
      }),
      { numRuns: 1000 },
    )
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
