import { z } from 'zod'
import { SnapshotError } from '../errors.ts'
import type { PermissionAnswer } from '../scenario/index.ts'

/** As much of `session/request_permission` as an answer needs. */
export const permissionRequest = z.looseObject({
  options: z.array(z.looseObject({ optionId: z.string(), kind: z.string() })),
})

/** An option that the agent offers. */
export interface PermissionOption {
  readonly optionId: string
  readonly kind: string
}

/** The answer as it goes over the wire. */
export interface PermissionResponse {
  readonly outcome:
    { readonly outcome: 'selected'; readonly optionId: string } | { readonly outcome: 'cancelled' }
}

/**
 * The script's answers to permission requests, first in, first out, whichever session asks. With none left the answer
 * is `cancelled`.
 */
export class PermissionAnswers {
  readonly #answers: readonly PermissionAnswer[]
  #used = 0
  #notOffered: SnapshotError | undefined

  constructor(answers: readonly PermissionAnswer[]) {
    this.#answers = answers
  }

  /** Those that nobody has asked for. */
  get left(): readonly PermissionAnswer[] {
    return this.#answers.slice(this.#used)
  }

  /** The first answer whose kind was not among the options: a run that goes on after it proves nothing. */
  get notOffered(): SnapshotError | undefined {
    return this.#notOffered
  }

  /** Uses up the next answer. */
  answer(options: readonly PermissionOption[]): PermissionResponse {
    const next = this.#answers[this.#used]
    if (next === undefined) return { outcome: { outcome: 'cancelled' } }
    this.#used += 1
    const option = options.find(({ kind }) => kind === next.kind)
    if (option !== undefined) return { outcome: { outcome: 'selected', optionId: option.optionId } }
    const offered = options.map(({ kind }) => kind)
    this.#notOffered ??= new SnapshotError(
      'STEP_FAILED',
      `permission answer ${this.#used} of ${this.#answers.length} is "${next.kind}", but the agent offered ` +
        `${offered.length === 0 ? 'no option at all' : offered.map(kind => `"${kind}"`).join(', ')}; it was answered ` +
        '"cancelled". Correct permissionAnswers in input.json, or what the agent offers.',
      { details: { answer: this.#used, asked: next.kind, offered } },
    )
    return { outcome: { outcome: 'cancelled' } }
  }
}
