import { describe, expect, it } from 'vitest'
import { compareHeaders } from '../../../src/transcript/index.ts'
import { headers, surface, tool } from './headers.ts'

const prompt = (...sequence: string[]) => ({ prompt: { file: 'one/system-prompt.expected.md', sequence } })
const tools = (...sequence: (readonly ReturnType<typeof tool>[])[]) => ({
  tools: { file: 'one/tool-schemas.expected.json', sequence },
})

describe('compareHeaders', () => {
  it('finds nothing where all is as pinned, or nothing is pinned', () => {
    const pin = { ...prompt('a', 'b'), ...tools([tool('x')], []), changes: 1 }
    expect(compareHeaders(surface, pin, headers(['a', [tool('x')]], ['b', []]))).toEqual([])
    expect(compareHeaders(surface, {}, headers(['a', [tool('x')]], ['b', []]))).toEqual([])
  })

  it('takes fewer headers than the pin has', () => {
    const pin = { ...prompt('a', 'b'), ...tools([tool('x')], []) }
    expect(compareHeaders(surface, pin, headers(['a', [tool('x')]]))).toEqual([])
    expect(compareHeaders(surface, { ...pin, changes: 0 }, headers())).toEqual([])
  })

  it('takes an absent prompt for an empty one, and absent tools for none', () => {
    expect(compareHeaders(surface, { ...prompt(''), ...tools([]) }, headers([]))).toEqual([])
    expect(compareHeaders(surface, { ...prompt('a'), ...tools([tool('x')]) }, headers([]))).toHaveLength(2)
  })

  it('tells the prompt first, then the tools, then the changes', () => {
    const pin = { ...prompt('a'), ...tools([]), changes: 0 }
    const found = compareHeaders(surface, pin, headers(['b', [tool('x')]], ['b', []]))
    expect(found.map(({ path }) => path)).toEqual([
      'data.header.system',
      'data.header.tools[0]',
      'data.header.tools',
      '',
    ])
  })
})

describe('a prompt', () => {
  it('is told by its first line that differs, with a diff of the whole', () => {
    expect(
      compareHeaders(surface, prompt('You are.\n\nBe brief.'), headers(['You are.\n\nBe long.'])),
    ).toEqual([
      {
        surface,
        index: 10,
        path: 'data.header.system',
        expected: 'You are.\n\nBe brief.',
        actual: 'You are.\n\nBe long.',
        message:
          'request headers of session.jsonl event 10: the system prompt differs at line 3: expected "Be brief.", found ' +
          '"Be long." (one/system-prompt.expected.md)',
        textDiff: ['@@ -1,3 +1,3 @@', ' You are.', ' ', '-Be brief.', '+Be long.'],
      },
    ])
  })

  it('may have a line more or less', () => {
    const [longer] = compareHeaders(surface, prompt('a'), headers(['a\n']))
    expect(longer?.message).toContain('differs at line 2: expected nothing, found "" (')
    const [shorter] = compareHeaders(surface, prompt('a\nb'), headers(['a']))
    expect(shorter?.message).toContain('differs at line 2: expected "b", found nothing (')
  })

  it('is told once, at the first header that differs', () => {
    const [only, ...others] = compareHeaders(surface, prompt('a', 'b', 'c'), headers(['a'], ['x'], ['y']))
    expect(only).toMatchObject({ index: 20, expected: 'b', actual: 'x' })
    expect(only?.message).toMatch(/ found "x" \(one\/system-prompt\.expected\.md, change 1\)$/)
    expect(others).toEqual([])
  })

  it('is told where the pin has none for it', () => {
    expect(compareHeaders(surface, prompt('a'), headers(['a'], ['a']))).toEqual([
      {
        surface,
        index: 20,
        path: 'data.header.system',
        expected: undefined,
        actual: 'a',
        message: `${surface} event 20: the system prompt was not expected: found "a" (one/system-prompt.expected.md has no change 1)`,
        textDiff: ['@@ -0,0 +1,1 @@', '+a'],
      },
    ])
  })

  it('is shortened in the message, which stays one line', () => {
    const [long] = compareHeaders(
      surface,
      prompt(`${'x'.repeat(5000)}A`),
      headers([`${'x'.repeat(5000)}\rB`]),
    )
    expect(long?.message.length).toBeLessThan(300)
    expect(long?.message).not.toMatch(/[\r\n]/)
    expect(long?.message).toContain(String.raw`found "…xxxxxxxxxxxxxxxxxxxxxxxxxx\rB"`)
  })
})

describe('the number of changes', () => {
  it('may be too great', () => {
    expect(compareHeaders(surface, { changes: 1 }, headers(['a'], ['b'], ['c'], ['d']))).toEqual([
      {
        surface,
        index: 30,
        path: '',
        expected: 1,
        actual: 3,
        message: `${surface}: 3 changes (seq 20, 30, 40), expected 1 change ("headerChanges" of suite.json)`,
      },
    ])
  })

  it('may be too small', () => {
    const [only] = compareHeaders(surface, { changes: 2 }, headers(['a']))
    expect(only).toMatchObject({ index: -1, expected: 2, actual: 0 })
    expect(only?.message).toContain(': no changes, expected 2 changes (')
  })
})
