import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatSystemPrompts, parseSystemPrompts } from '../../../src/transcript/index.ts'
import { thrown } from '../../support/thrown.ts'

const file = 'system-prompt.expected.md'

/** Prompts that come close to what separates them. */
const prompt = fc
  .array(
    fc.oneof(
      fc.constantFrom('<!-- request/header change 1 -->', '<!-- request/header change 2 -->'),
      fc.constantFrom(
        '\n',
        '\n\n',
        '\r\n',
        ' ',
        '<!-- request/header change',
        ' 1',
        ' -->',
        '\ufeff',
        '\u2028',
      ),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    { maxLength: 8 },
  )
  .map(parts => parts.join(''))

describe('a file of system prompts', () => {
  it('holds the first, then each change under its marker', () => {
    const text =
      'You are.\n\nBe brief.\n\n<!-- request/header change 1 -->\n\nYou were.\n\n<!-- request/header change 2 -->\n\nYou\n'
    expect(formatSystemPrompts(['You are.\n\nBe brief.', 'You were.', 'You'])).toBe(text)
    expect(parseSystemPrompts(text, file)).toEqual(['You are.\n\nBe brief.', 'You were.', 'You'])
  })

  it('gives back every prompt to the letter', () => {
    fc.assert(
      fc.property(
        fc.array(
          prompt.filter(text => !/change \d+ -->/.test(text)),
          { minLength: 1, maxLength: 4 },
        ),
        prompts => {
          expect(parseSystemPrompts(formatSystemPrompts(prompts), file)).toEqual(prompts)
        },
      ),
    )
  })

  it('holds no prompt with a line that reads as a marker: every other comes back', () => {
    fc.assert(
      fc.property(fc.array(prompt, { minLength: 1, maxLength: 3 }), prompts => {
        let text: string
        try {
          text = formatSystemPrompts(prompts)
        } catch {
          expect(prompts.join('\n')).toMatch(/<!-- request\/header change \d+ -->/)
          return
        }
        expect(parseSystemPrompts(text, file)).toEqual(prompts)
      }),
    )
    const error = thrown(() => formatSystemPrompts(['a', 'b\n<!-- request/header change 7 -->\nc']))
    expect(error.code).toBe('SCENARIO_INVALID')
    expect(error.message).toBe(
      'the system prompt of request/header change 1 holds the line "<!-- request/header change 7 -->", which separates ' +
        "the prompts of a system-prompt.expected.md: it can't be written there. Reword that line of the prompt, or pin " +
        'none with it.',
    )
    expect(thrown(() => formatSystemPrompts(['<!-- request/header change 1 -->'])).message).toMatch(
      /^the system prompt of the first request header holds/,
    )
  })

  it('takes a marker within a line for text', () => {
    const prompts = ['see <!-- request/header change 1 -->', '<!-- request/header change x -->']
    expect(parseSystemPrompts(formatSystemPrompts(prompts), file)).toEqual(prompts)
  })

  it('may lack the LF at its end, and be empty', () => {
    expect(parseSystemPrompts('a\n\n<!-- request/header change 1 -->\n\nb', file)).toEqual(['a', 'b'])
    expect(parseSystemPrompts('', file)).toEqual([''])
    expect(parseSystemPrompts('\n', file)).toEqual([''])
    expect(parseSystemPrompts('\n\n', file)).toEqual(['\n'])
  })

  it.each([
    ['another number', 'a\n\n<!-- request/header change 2 -->\n\nb\n', '3:1', 1],
    [
      'a number again',
      'a\n\n<!-- request/header change 1 -->\n\nb\n\n<!-- request/header change 1 -->\n\nc\n',
      '7:1',
      2,
    ],
    ['no blank line before', 'a\n<!-- request/header change 1 -->\n\nb\n', '2:1', 1],
    ['no blank line after', 'a\n\n<!-- request/header change 1 -->\nb\n', '3:1', 1],
    ['nothing after', 'a\n\n<!-- request/header change 1 -->\n', '3:1', 1],
    [
      'one blank line for two',
      'a\n\n<!-- request/header change 1 -->\n\n<!-- request/header change 2 -->\n\nb\n',
      '5:1',
      2,
    ],
    ['CRLF', 'a\r\n\r\n<!-- request/header change 1 -->\r\n\r\nb\r\n', '3:1', 1],
  ])('is refused for a marker with %s', (_, text, place, next) => {
    const error = thrown(() => parseSystemPrompts(text, file))
    expect(error.code).toBe('SCENARIO_INVALID')
    expect(error.message).toBe(
      `${file}:${place}: this marker of a change is out of place; expected that of change ${next} next, with a blank line ` +
        'before and after it (lines end with LF). Correct its number and what is around it.',
    )
  })

  it('needs a prompt', () => {
    expect(thrown(() => formatSystemPrompts([])).message).toBe(
      'a session that makes no model request has no request header, and a system-prompt.expected.md holds at least one. ' +
        'Pin a scenario whose session makes a request.',
    )
  })
})
