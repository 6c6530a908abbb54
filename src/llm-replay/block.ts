import type { JsonObject, JsonValue } from '../session-log/types.ts'
import {
  aBoolean,
  anyObject,
  anything,
  arrayOf,
  aString,
  exactly,
  problemHere,
  variantOf,
  type Check,
} from './shape.ts'

/**
 * One piece of a message's content. Types other than the five named ones are kept as they are.
 *
 * @public
 */
export type ContentBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'image'; readonly attachment: JsonObject }
  /** `arguments` is the raw JSON string that the model wrote. */
  | { readonly type: 'tool-call'; readonly id: string; readonly name: string; readonly arguments: string }
  | {
      readonly type: 'tool-result'
      readonly toolCallId: string
      readonly content: readonly ContentBlock[]
      readonly isError?: boolean
    }
  | UnknownContentBlock

/**
 * A block of a type that this library does not know.
 *
 * @public
 */
export interface UnknownContentBlock {
  readonly type: string
  readonly [key: string]: JsonValue
}

/** Tool results hold blocks, which may be tool results again: bounded, so that no input can exhaust the stack. */
const DEEPEST = 64

const block = variantOf(
  'type',
  {
    text: exactly({ type: aString, text: aString }),
    reasoning: exactly({ type: aString, text: aString }),
    image: exactly({ type: aString, attachment: anyObject }),
    'tool-call': exactly({ type: aString, id: aString, name: aString, arguments: aString }),
    'tool-result': exactly(
      {
        type: aString,
        toolCallId: aString,
        content: arrayOf((value, depth) => blockCheck(value, depth)),
      },
      { isError: aBoolean },
    ),
  },
  anything,
)

/** Known block types in their exact shape; unknown ones as they are. */
export const blockCheck: Check = (value, depth) =>
  depth > DEEPEST
    ? problemHere('tool results are nested too deep', `at most ${DEEPEST} levels`)
    : block(value, depth)
