import type { JsonObject } from '../../../src/session-log/types.ts'
import type { HeaderSequence, ToolList } from '../../../src/transcript/index.ts'

export const surface = 'request headers of session.jsonl'

/** The headers of a log, one for each prompt and list of tools; the first at seq 10, the others each ten further on. */
export function headers(...parts: readonly (readonly [system?: string, tools?: ToolList])[]): HeaderSequence {
  return {
    headers: parts.map(([system, tools], at) => ({
      seq: 10 * (at + 1),
      reason: at === 0 ? 'initial' : 'change',
      system,
      tools,
    })),
  }
}

export function tool(name: string, description = `Does ${name}.`): JsonObject {
  return { name, description, parameters: { type: 'object', properties: {} } }
}
