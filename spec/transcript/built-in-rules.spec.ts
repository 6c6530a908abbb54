import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normalizationRules, normalizeSessionLog, normalizeStdout } from '../../src/transcript/index.ts'
import { framesByRules, logByRules } from './apply-rules.ts'
import { contexts, frames, logs, stdoutOf } from './generated.ts'

const runs = { numRuns: 1500 }

describe('the registered rules', () => {
  it('have a name of their own and a reason', () => {
    const names = normalizationRules.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const { name, why } of normalizationRules) {
      expect(name).toMatch(/^[a-z]+(?:-[a-z]+)*$/)
      expect(why).toMatch(/^[A-Z].+\.$/)
    }
  })

  it('are all that makes a log normal, and each of them is applied', () => {
    fc.assert(
      fc.property(logs, contexts, (log, context) => {
        expect(normalizeSessionLog(log, context)).toEqual(logByRules(log, context))
      }),
      runs,
    )
  })

  it('are all that makes standard output normal', () => {
    fc.assert(
      fc.property(frames, contexts, (list, context) => {
        expect(normalizeStdout(stdoutOf(list), context)).toBe(stdoutOf(framesByRules(list, context)))
      }),
      runs,
    )
  })
})

describe('applied twice', () => {
  it('they change nothing of a log', () => {
    fc.assert(
      fc.property(logs, contexts, (log, context) => {
        const { jobIds: _, ...rest } = context
        const once = normalizeSessionLog(log, rest)
        expect(normalizeSessionLog(once, rest)).toEqual(once)
      }),
      runs,
    )
  })

  it('they change nothing of standard output', () => {
    fc.assert(
      fc.property(frames, contexts, (list, context) => {
        const { jobIds: _, ...rest } = context
        const once = normalizeStdout(stdoutOf(list), rest)
        expect(normalizeStdout(once, rest)).toBe(once)
      }),
      runs,
    )
  })
})
