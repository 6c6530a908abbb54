import type { JsonValue } from '../session-log/types.ts'

/**
 * Applies `map` to every string value, keys aside. What holds nothing to change comes back as the same object.
 */
export function mapStrings(value: JsonValue, map: (text: string) => string): JsonValue {
  if (typeof value === 'string') return map(value)
  if (typeof value !== 'object' || value === null) return value
  if (isArray(value)) {
    let copy: JsonValue[] | undefined
    for (const [index, item] of value.entries()) {
      const mapped = mapStrings(item, map)
      if (mapped !== item) (copy ??= [...value])[index] = mapped
    }
    return copy ?? value
  }
  let copy: Record<string, JsonValue> | undefined
  for (const [key, item] of Object.entries(value)) {
    const mapped = mapStrings(item, map)
    // The spread makes every key an own one, `__proto__` too, so that the assignment can't reach the prototype.
    if (mapped !== item) (copy ??= { ...value })[key] = mapped
  }
  return copy ?? value
}

function isArray(value: object): value is readonly JsonValue[] {
  return Array.isArray(value)
}
