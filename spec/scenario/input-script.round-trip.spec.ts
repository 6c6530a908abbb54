import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseInputScript } from '../../src/scenario/input-script.ts'

const MAX = 2 ** 31 - 1

const text = fc.string()
const someText = fc.string({ minLength: 1 })
const path = fc.constantFrom('ready', 'a/b', '.dsh/x')
const timeout = fc.integer({ min: 1, max: MAX })
const turn = fc.integer({ min: 1, max: 99 })
const timed = { timeoutMs: timeout }
const wait = { path, ...timed }

/**
 * A step as a file may hold it, and as it is after parsing.
 *
 * @param defaults - of the fields that may be left out; undefined for none
 */
function stepOf(
  op: string,
  fields: Record<string, fc.Arbitrary<unknown>>,
  defaults: Record<string, unknown> = {},
) {
  const requiredKeys = Object.keys(fields).filter(key => !(key in defaults))
  const filled = Object.fromEntries(Object.entries(defaults).filter(([, value]) => value !== undefined))
  return fc.record(fields, { requiredKeys }).map(given => {
    const parsed: Record<string, unknown> = { op, ...filled, ...given }
    return { written: { op, ...given }, parsed }
  })
}

const fileWait = fc.record(wait, { requiredKeys: ['path'] })
const absent = undefined

const anyStep = fc
  .oneof(
    stepOf('initialize', {}),
    stepOf('newSession', {}),
    stepOf(
      'newSessionExpectError',
      { additionalDirectories: fc.array(text) },
      { additionalDirectories: absent },
    ),
    stepOf('prompt', { text }),
    stepOf('promptContent', {
      content: fc.array(fc.record({ data: fc.jsonValue(), type: text }, { requiredKeys: ['type'] })),
    }),
    stepOf('promptAndWaitForAgentMessage', { text, waitForText: someText }),
    stepOf('promptExpectError', { text }),
    stepOf('promptAndCancel', { text, waitForFile: fileWait }, { waitForFile: absent }),
    stepOf('cancel', { waitForFile: fileWait }, { waitForFile: absent }),
    stepOf('waitForFile', wait, { timeoutMs: 10_000 }),
    stepOf('waitForTurnStart', { minimumTurn: turn, ...timed }, { minimumTurn: absent, timeoutMs: 10_000 }),
    stepOf('waitForTurnEnd', timed, { timeoutMs: 10_000 }),
    stepOf(
      'waitForSubagentTurnEnd',
      { child: turn, minimumTurn: turn, ...timed },
      { child: 1, minimumTurn: 1, timeoutMs: 10_000 },
    ),
    stepOf('waitForGoalPhase', { phase: someText, ...timed }, { timeoutMs: 10_000 }),
    stepOf('waitForInboxMessage', { text: someText, ...timed }, { timeoutMs: 10_000 }),
    stepOf('waitForTitleAfterTurnEnd', timed, { timeoutMs: 10_000 }),
    stepOf('waitForEventAfterTurnEnd', { type: someText, ...timed }, { timeoutMs: 10_000 }),
    stepOf('signal', { name: someText }),
  )
  .map(({ written, parsed }) => {
    const { waitForFile } = parsed
    if (typeof waitForFile !== 'object') return { written, parsed }
    return { written, parsed: { ...parsed, waitForFile: { timeoutMs: 10_000, ...waitForFile } } }
  })

const anyAnswers = fc.array(
  fc.record({ kind: fc.constantFrom('allow_once', 'allow_always', 'reject_once', 'reject_always') }),
)

describe('parseInputScript', () => {
  it('reads back what was written, with the defaults filled in', () => {
    fc.assert(
      fc.property(fc.array(anyStep), fc.option(anyAnswers), (given, answers) => {
        const open = { op: 'newSession' }
        const document = {
          steps: [open, ...given.map(step => step.written)],
          ...(answers === null ? {} : { permissionAnswers: answers }),
        }
        const written = JSON.stringify(document)
        fc.pre(!written.includes('"__proto__"'))
        // What JSON itself changes (a negative zero, for one) is no matter here.
        const expected: unknown = JSON.parse(
          JSON.stringify({
            steps: [open, ...given.map(step => step.parsed)],
            permissionAnswers: answers ?? [],
          }),
        )
        expect(parseInputScript(written, 'input.json')).toEqual(expected)
      }),
      { numRuns: 500 },
    )
  })
})
