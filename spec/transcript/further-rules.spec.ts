import { describe, expect, it } from 'vitest'
import {
  normalizeSessionLog,
  normalizeStdout,
  normalizeText,
  type NormalizationRule,
} from '../../src/transcript/index.ts'
import { thrown } from '../support/thrown.ts'
import { sessionLog } from './logs.ts'

const named = { name: 'acme', why: 'A test needs it.' }

function contextWith(...parts: readonly Omit<NormalizationRule, 'name' | 'why'>[]) {
  return { cwds: ['/w'], sessionIds: ['s-1'], rules: parts.map(part => ({ ...named, ...part })) }
}

describe("rules of one's own", () => {
  it('come after the built-in ones, each in its turn', () => {
    const rules = contextWith(
      { text: () => text => text.replace('{{cwd}}/a', 'first') },
      { text: () => text => text.replace('first', 'second') },
    )
    expect(normalizeText('in /w/a', rules)).toBe('in second')
  })

  it('get the context, and are compiled anew for each document', () => {
    const seen: string[] = []
    const context = contextWith({
      text: ({ cwds }) => {
        let count = 0
        return text => text.replace(`${cwds.join()}#`, () => `#${(count += 1)}`)
      },
      event: ({ sessionIds }) => {
        seen.push(...sessionIds)
        return event => event
      },
    })
    const log = sessionLog([['a', { text: '/w#' }]])
    const normal = [log, log].map(each => normalizeSessionLog(each, context).events[0]?.data)
    expect(normal).toEqual([{ text: '#1' }, { text: '#1' }])
    expect(seen).toContain('s-1')
  })

  it('see events as the built-in ones leave them, deltas too, and have the last word', () => {
    const delta = { turn: 1, step: 1, chunk: { type: 'text-delta', index: 0, text: 'hi' } }
    const log = sessionLog([
      ['hook/result', { durationMs: 3, handlerId: 'x:5' }],
      ['assistant/chunk', delta],
    ])
    const context = contextWith({
      event: () => event => ({
        ...event,
        time: 5,
        ignorable: true,
        data: event.data.seen === undefined ? { ...event.data, seen: event.time } : event.data,
      }),
    })
    expect(normalizeSessionLog(log, context).events).toEqual([
      {
        type: 'hook/result',
        seq: 0,
        time: 5,
        ignorable: true,
        data: { durationMs: 0, handlerId: 'x:1', seen: 0 },
      },
      { type: 'assistant/chunk', seq: 1, time: 5, ignorable: true, data: { ...delta, seen: 0 } },
    ])
  })

  it('may change headers and frames before the rules about texts', () => {
    const context = contextWith({
      header: () => header => ({ ...header, cwd: '/w/x' }),
      frame: () => frame => ({ ...frame, at: '/w/y' }),
    })
    expect(normalizeSessionLog(sessionLog([]), context).header).toMatchObject({
      id: '{{sessionId}}',
      cwd: '{{cwd}}/x',
    })
    expect(normalizeStdout('{"id":9}', context)).toBe('{"id":1,"at":"{{cwd}}/y"}\n')
  })

  it('may have no parts at all', () => {
    expect(normalizeText('/w', contextWith({}))).toBe('{{cwd}}')
    expect(normalizeText('/w', { ...contextWith(), rules: [] })).toBe('{{cwd}}')
  })
})

describe('a rule that changes what it has made', () => {
  const context = contextWith({
    text: () => text => `${text}!`,
    event: () => event => ({ ...event, data: { count: Number(event.data.count ?? 0) + 1 } }),
    header: () => header => ({ ...header, delegationDepth: header.delegationDepth + 1 }),
    frame: () => frame => ({ ...frame, list: [frame] }),
  })

  it('is refused by its name, with what it makes', () => {
    const error = thrown(() => normalizeText('hi', context))
    expect(error).toMatchObject({
      code: 'USAGE',
      message: expect.stringMatching(
        /^the normalisation rule "acme" changes what it has made: from "hi!" it makes "hi!!"\. .+ let it put a token/,
      ) as string,
      details: { rule: 'acme', once: 'hi!', twice: 'hi!!' },
    })
  })

  it('is refused in each of its parts', () => {
    const only = (part: 'event' | 'header' | 'frame') => contextWith({ [part]: context.rules[0]?.[part] })
    expect(() => normalizeSessionLog(sessionLog([['a', {}]]), only('event'))).toThrow(/"acme" changes what/)
    expect(() => normalizeSessionLog(sessionLog([]), only('header'))).toThrow(/"acme" changes what/)
    expect(() => normalizeStdout('{}', only('frame'))).toThrow(/"acme" changes what/)
  })
})

describe('a rule that is none', () => {
  const problemWith = (text: unknown): string => {
    const rule = { name: 'slip', why: 'A slip.', text } as NormalizationRule
    return thrown(() => normalizeText('in /w/a', { cwds: ['/w'], sessionIds: [], rules: [rule] })).message
  }

  it.each([
    ['an arrow short', (text: string) => text.replace('a', 'b'), 'its "text" threw: TypeError'],
    ['giving no function', () => 'text', 'its "text" gave a string in place of a function'],
    [
      'throwing',
      () => () => {
        throw new Error('no')
      },
      'its "text" threw: Error: no',
    ],
    ['giving nothing', () => () => undefined, 'its "text" made nothing of a string'],
    ['giving a list', () => () => [], 'its "text" made a list of a string'],
  ])('is named, %s', (_, text, problem) => {
    expect(problemWith(text)).toContain(`the normalisation rule "slip": ${problem}`)
  })
})
