import { inspect } from 'node:util'

import { SnapshotError } from '../errors.ts'

/** One of ours by its message; any other is a defect of the library or of a plugin, whose stack says where. */
export function describeError(error: unknown): string {
  return error instanceof SnapshotError ? error.message : inspect(error)
}

/** The same as data. */
export function errorFacts(error: unknown): { readonly code: string; readonly message: string } {
  const code = error instanceof SnapshotError ? error.code : 'UNEXPECTED'
  return { code, message: describeError(error) }
}
