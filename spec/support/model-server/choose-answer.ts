import type { AnswerCondition, ModelAnswer } from './model-answers-file.ts'
import type { WireRequest } from './wire-request.ts'

/** The first of the answers left that is for this request. */
export function chooseAnswer(left: readonly ModelAnswer[], request: WireRequest): ModelAnswer | undefined {
  return left.find(({ when = {} }) => fits(when, request))
}

function fits(
  { firstUser, lastUser, anyUser, last, compaction, title }: AnswerCondition,
  request: WireRequest,
): boolean {
  const said = request.messages.filter(({ role }) => role === 'user')
  return (
    contains(said.at(0)?.text, firstUser) &&
    contains(said.at(-1)?.text, lastUser) &&
    (anyUser === undefined || said.some(({ text }) => text.includes(anyUser))) &&
    contains(request.messages.at(-1)?.text, last) &&
    (compaction === undefined || compaction === request.compaction) &&
    (title === undefined || title === (request.tools.length === 0 && !request.compaction))
  )
}

function contains(text: string | undefined, part: string | undefined): boolean {
  return part === undefined || text?.includes(part) === true
}
