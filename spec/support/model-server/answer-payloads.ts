import type { JsonObject } from '../../../src/session-log/index.ts'
import type { AnsweredCall, ModelAnswer } from './model-answers-file.ts'
import type { WireRequest } from './wire-request.ts'

/**
 * The data of the server-sent events that an answer is streamed as, without the last one, `[DONE]`: a delta each, then the
 * reason of its end, then what it has cost.
 */
export function answerPayloads(answer: ModelAnswer, request: WireRequest): string[] {
  const { reasoning = [], text = [], toolCalls = [] } = answer
  const deltas: JsonObject[] = [
    ...reasoning.map(part => ({ reasoning_content: part })),
    ...text.map(part => ({ content: part })),
    ...toolCalls.flatMap(callDeltas),
  ]
  const finish = answer.finish ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop')
  const payload = (choices: readonly JsonObject[], more: JsonObject = {}): string =>
    JSON.stringify({
      id: 'answer',
      object: 'chat.completion.chunk',
      created: 0,
      model: request.model,
      choices,
      ...more,
    })
  return [
    ...deltas.map(delta => payload([{ index: 0, delta, finish_reason: null }])),
    // A stream that breaks off tells of no reason.
    ...(answer.fail === undefined ? [payload([{ index: 0, delta: {}, finish_reason: finish }])] : []),
    ...(answer.fail === undefined
      ? [payload([], { usage: answer.usage ?? countedUsage(answer, request) })]
      : []),
  ]
}

function callDeltas({ id, name, arguments: given }: AnsweredCall, index: number): JsonObject[] {
  const [first = '', ...more] = isFragments(given) ? given : fragments(JSON.stringify(given))
  return [
    { tool_calls: [{ index, id, type: 'function', function: { name, arguments: first } }] },
    ...more.map(part => ({ tool_calls: [{ index, function: { arguments: part } }] })),
  ]
}

function isFragments(given: AnsweredCall['arguments']): given is readonly string[] {
  return Array.isArray(given)
}

/** Cuts a text as a model's tokens would. */
function fragments(text: string): string[] {
  return text.match(/[^]{1,12}/gu) ?? []
}

/** By messages and answered letters alone: what is asked has paths in it, whose lengths differ from run to run. */
function countedUsage(
  { reasoning = [], text = [], toolCalls = [] }: ModelAnswer,
  { messages }: WireRequest,
): JsonObject {
  const tokens = (parts: readonly string[]): number => Math.ceil(parts.join('').length / 4)
  const [thought, said] = [
    tokens(reasoning),
    tokens([...text, ...toolCalls.map(call => JSON.stringify(call.arguments))]),
  ]
  return {
    prompt_tokens: 100 * messages.length,
    completion_tokens: thought + said,
    prompt_cache_hit_tokens: 0,
    ...(thought === 0 ? {} : { completion_tokens_details: { reasoning_tokens: thought } }),
  }
}
