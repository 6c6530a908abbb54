import { describe, expect, it } from 'vitest'
import { spillRule } from '../../src/transcript/spill-rule.ts'

const file = 'session-0123456789ab/ba9876543210'

describe('spillRule', () => {
  const rule = spillRule(['/tmp/spills/', '{{cwd}}/.out/', 'C:\\spills'])

  it.each([
    '{{cwd}}/.spill',
    '/tmp/spills',
    '/private/tmp/spills',
    '{{cwd}}/.out',
    'C:\\spills',
    'C:/spills',
  ])('knows the root %s', root => {
    expect(rule(`Full output: ${root}/${file}-bash.txt`)).toBe('Full output: {{spillLocator:bash.txt}}')
  })

  it('reads backslashes as separators', () => {
    expect(rule('C:\\spills\\session-0123456789ab\\ba9876543210-a')).toBe('{{spillLocator:a}}')
  })

  it('leaves the full stop of a sentence outside the name', () => {
    expect(rule(`({{cwd}}/.spill/${file}-read.txt).`)).toBe('({{spillLocator:read.txt}}).')
    expect(rule(`See {{cwd}}/.spill/${file}-read.txt. Then`)).toBe('See {{spillLocator:read.txt}}. Then')
  })

  it('takes the escapes that the store puts into names', () => {
    expect(rule(`{{cwd}}/.spill/${file}-mcp~003Afetch.txt`)).toBe('{{spillLocator:mcp~003Afetch.txt}}')
  })

  it.each([
    `/tmp/spills-2/${file}-a`,
    `x/tmp/spills/${file}-a`,
    `/elsewhere/${file}-a`,
    '{{cwd}}/.spill/session-0123456789AB/ba9876543210-a',
    '{{cwd}}/.spill/session-0123456789a/ba9876543210-a',
    '{{cwd}}/.spill/session-0123456789ab/ba987654321-a',
    '{{cwd}}/.spill/session-0123456789ab/ba9876543210-',
    '{{cwd}}/xspill/session-0123456789ab/ba9876543210-a',
  ])('leaves %s', text => {
    expect(rule(text)).toBe(text)
  })
})
