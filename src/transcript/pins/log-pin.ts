import type { ToolList } from './header-sequence.ts'

/** Where expected headers come from: a sidecar's name for messages, and its sequence. @public */
export interface PinnedPart<T> {
  readonly file: string
  /** That of the first header, then that of each change. */
  readonly sequence: readonly T[]
}

/** What a log is to have in its request headers. @public */
export interface LogPin {
  readonly prompt?: PinnedPart<string>
  readonly tools?: PinnedPart<ToolList>
  /** How many changes the log must have; undefined: not checked. */
  readonly changes?: number
}
