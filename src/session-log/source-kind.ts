import type { JsonValue } from './types.ts'

/** The kind of the source of a message or a title, such as `user` or `plugin`; undefined where there is none. */
export function sourceKind(source: JsonValue | undefined): JsonValue | undefined {
  return typeof source === 'object' && source !== null && 'kind' in source ? source.kind : undefined
}
