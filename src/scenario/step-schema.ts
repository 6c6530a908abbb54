import { z } from 'zod'
import {
  anyText,
  didYouMean,
  exactObject,
  innerPath,
  integerFrom,
  listOf,
  someText,
  timeoutMs,
} from './schema-parts.ts'
import type { PromptBlock, Step, StepOp } from './steps.ts'

const fileWait = exactObject({ path: innerPath, timeoutMs })

const turnNumber = integerFrom(1, 'a turn number: an integer from 1')

const block = z.custom<PromptBlock>(isBlock, {
  error: 'an ACP content block: an object with a string "type"',
})

const directories = listOf(anyText, 'a list of directories')

const options = [
  exactObject({ op: z.literal('initialize') }),
  exactObject({ op: z.literal('newSession') }),
  exactObject({
    op: z.literal('newSessionExpectError'),
    additionalDirectories: directories.exactOptional(),
  }),
  exactObject({ op: z.literal('prompt'), text: anyText }),
  exactObject({ op: z.literal('promptContent'), content: listOf(block, 'a list of ACP content blocks') }),
  exactObject({ op: z.literal('promptAndWaitForAgentMessage'), text: anyText, waitForText: someText }),
  exactObject({ op: z.literal('promptExpectError'), text: anyText }),
  exactObject({ op: z.literal('promptAndCancel'), text: anyText, waitForFile: fileWait.exactOptional() }),
  exactObject({ op: z.literal('cancel'), waitForFile: fileWait.exactOptional() }),
  exactObject({ op: z.literal('waitForFile'), path: innerPath, timeoutMs }),
  exactObject({ op: z.literal('waitForTurnStart'), minimumTurn: turnNumber.exactOptional(), timeoutMs }),
  exactObject({ op: z.literal('waitForTurnEnd'), timeoutMs }),
  exactObject({
    op: z.literal('waitForSubagentTurnEnd'),
    child: integerFrom(1, "a child's number: an integer from 1").default(1),
    minimumTurn: turnNumber.default(1),
    timeoutMs,
  }),
  exactObject({ op: z.literal('waitForGoalPhase'), phase: someText, timeoutMs }),
  exactObject({ op: z.literal('waitForInboxMessage'), text: someText, timeoutMs }),
  exactObject({ op: z.literal('waitForTitleAfterTurnEnd'), timeoutMs }),
  exactObject({ op: z.literal('waitForEventAfterTurnEnd'), type: someText, timeoutMs }),
  exactObject({ op: z.literal('signal'), name: someText }),
] as const

/** Every operation that a step can name, in the order of the documentation. */
export const STEP_OPS: readonly StepOp[] = options.map(option => option.shape.op.value)

export const stepSchema: z.ZodType<Step> = z.discriminatedUnion('op', options, {
  // The type that zod declares leaves out the issue for what is no object at all.
  error: (issue: { readonly code: string; readonly input?: unknown }) => {
    if (issue.code !== 'invalid_union') return 'a step: an object with an "op"'
    const { op } = issue.input as { readonly op?: unknown }
    return `one of the known ops ${STEP_OPS.join(', ')}${didYouMean(typeof op === 'string' ? [op] : [], STEP_OPS)}`
  },
})

function isBlock(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}
