import type { JsonObject, JsonValue } from '../session-log/types.ts'

/**
 * Applies `map` to every string value, keys aside. What holds nothing to change comes back as the same object.
 */
export function mapStrings(value: JsonValue, map: (text: string) => string): JsonValue {
  if (typeof value === 'string') return map(value)
  if (typeof value !== 'object' || value === null) return value
  return isArray(value) ? mapItems(value, map) : mapProperties(value, map)
}

function mapItems(list: readonly JsonValue[], map: (text: string) => string): readonly JsonValue[] {
  let copy: JsonValue[] | undefined
  let index = 0
  for (const item of list) {
    const mapped = mapStrings(item, map)
    if (mapped !== item) (copy ??= [...list])[index] = mapped
    index++
  }
  return copy ?? list
}

function mapProperties(object: JsonObject, map: (text: string) => string): JsonObject {
  let copy: Record<string, JsonValue> | undefined
  // JSON inherits nothing enumerable, and a list of the keys would cost more than the walk.
  for (const key in object) {
    const item = object[key]
    if (typeof item === 'number' || item === undefined) continue
    const mapped = typeof item === 'string' ? map(item) : mapStrings(item, map)
    // The spread makes every key an own one, `__proto__` too, so that the assignment can't reach the prototype.
    if (mapped !== item) (copy ??= { ...object })[key] = mapped
  }
  return copy ?? object
}

function isArray(value: object): value is readonly JsonValue[] {
  return Array.isArray(value)
}
