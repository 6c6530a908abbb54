import { SnapshotError } from './errors.ts'

/** What is put to an error. */
export interface Amendment {
  /** Put before its message. */
  readonly prefix?: string
  readonly details?: Readonly<Record<string, unknown>>
}

/** An error of ours with more to say; any other as it is. */
export function amended(error: unknown, { prefix = '', details = {} }: Amendment): unknown {
  if (!(error instanceof SnapshotError)) return error
  return new SnapshotError(error.code, prefix + error.message, {
    cause: error,
    details: { ...error.details, ...details },
  })
}
