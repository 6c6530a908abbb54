import type { JsonObject, JsonValue } from './types.ts'

// What an event holds in `data` is its writer's: these take it as far as it has the expected shape.

/** The object, or undefined for anything else. */
export function asObject(value: JsonValue | undefined): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !isArray(value) ? value : undefined
}

/** The array, or an empty one for anything else. */
export function asArray(value: JsonValue | undefined): readonly JsonValue[] {
  return isArray(value) ? value : []
}

/** The text, or undefined for anything else. */
export function asText(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** The texts of the text blocks in a message's content, in order. */
export function blockTexts(content: JsonValue | undefined): string[] {
  return asArray(content).flatMap(block => {
    const fields = asObject(block)
    return fields?.type === 'text' && typeof fields.text === 'string' ? [fields.text] : []
  })
}

function isArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value)
}
